#include "simt/translate/passes.hpp"

#include <algorithm>

namespace simt::compiler {
namespace {

/// The arguments of `__launch_bounds__(...)` or `__cluster_dims__(...)`, each on one line.
std::vector<std::string> arguments(const Source& source, std::size_t open) {
  std::vector<std::string> found;
  const std::size_t close = source.match(open);
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= close; ++i) {
    if (source.opens(i)) {
      i = source.match(i);
    } else if ((i == close || source.is(i, ",")) && i > begin) {
      found.push_back(source.flat(begin, i));
      begin = i + 1;
    }
  }
  return found;
}

/// The name as it stands, with its `ns::` qualification.
std::string qualified_name(const Source& source, std::size_t name) {
  std::size_t begin = name;
  while (begin >= 2 && source.is(begin - 1, "::") && source.is_name(begin - 2)) begin -= 2;
  return source.flat(begin, name + 1);
}

struct Attributes {
  std::vector<std::string> bounds;
  std::vector<std::string> cluster;
};

Attributes take_attributes(Source& source, const Declaration& kernel) {
  Attributes result;
  for (const std::size_t i : kernel.cuda_keywords) {
    const bool bounds = source.is(i, "__launch_bounds__");
    const bool registers = source.is(i, "__maxnreg__"); // what it limits is not modelled
    if (!bounds && !registers && !source.is(i, "__cluster_dims__")) continue;
    if (!source.opens(i + 1)) {
      source.error(i, concatenate({source.spelling(i), " needs its numbers in parentheses; write ",
                                   bounds      ? "__launch_bounds__(256)"
                                   : registers ? "__maxnreg__(64)"
                                               : "__cluster_dims__(2, 1, 1)"}));
      continue;
    }
    if (registers) {
      source.erase(i, source.behind(i + 1));
      continue;
    }
    (bounds ? result.bounds : result.cluster) = arguments(source, i + 1);
    source.erase(i, source.behind(i + 1));
  }
  return result;
}

/// The names of a template's parameters, as its own body passes them on: "T, N, Rest...". Empty if one has no
/// name, with an error where names are `needed`.
std::string template_arguments(Source& source, const Declaration& kernel, bool needed) {
  std::size_t open = kernel.begin;
  while (open < kernel.name && !source.is(open, "template")) ++open;
  const std::size_t close = source.is(++open, "<") ? source.closing_angle(open) : none;
  if (close == none) return ""; // the compiler says what is missing
  std::string names;
  std::size_t name = none;
  bool pack = false, has_default = false;
  for (std::size_t i = open + 1; i <= close; ++i) {
    if (i == close || source.is(i, ",")) {
      if (name == none || source.is_any(name, {"class", "typename", "int", "unsigned", "bool", "auto", "char",
                                               "long", "short"})) {
        if (needed) source.error(open, "a parameter of this kernel template has no name; give it one");
        return "";
      }
      names += concatenate({names.empty() ? "" : ", ", source.spelling(name), pack ? "..." : ""});
      name = none;
      pack = has_default = false;
    } else if (source.is(i, "=")) {
      has_default = true;
    } else if (source.is(i, "...")) {
      pack = true;
    } else if (source.is(i, "<") && source.closing_angle(i) != none && source.closing_angle(i) < close) {
      i = source.closing_angle(i);
    } else if (source.opens(i)) {
      i = source.match(i);
    } else if (!has_default && source.is_identifier(i)) {
      name = i;
    }
  }
  return names;
}

/// The address of a template's instance, as its own body spells it. Empty if it cannot, with an error where it
/// is `needed`.
std::string address_in_body(Source& source, const Declaration& kernel, bool overloaded, bool needed) {
  std::string address = concatenate({"&", source.flat(kernel.name, kernel.parameters)});
  if (kernel.is_template) {
    const std::string arguments = template_arguments(source, kernel, needed);
    if (arguments.empty()) return "";
    address = concatenate({address, "<", arguments, ">"});
  }
  if (overloaded) {
    std::string types;
    for (const std::string& type : parameter_types(source, kernel))
      types += (types.empty() ? "" : ", ") + type;
    address = concatenate({"static_cast<void (*)(", types, ")>(", address, ")"});
  }
  return address;
}

/// A template's instances register themselves: each one's body refers to an object that does it.
void register_in_body(Source& source, const Declaration& kernel, const Attributes& attributes,
                      bool overloaded) {
  const auto at = [](const std::vector<std::string>& list, std::size_t i, const char* missing) {
    return i < list.size() ? list[i] : std::string(missing);
  };
  const std::string address = address_in_body(source, kernel, overloaded, true);
  if (address.empty()) return;
  const char* extent = attributes.cluster.empty() ? "0" : "1";
  source.insert_behind(
      kernel.body, concatenate({" static_cast<void>(&::simt::registered_attributes<", address, ", ",
                                at(attributes.bounds, 0, "0"), ", ", at(attributes.bounds, 1, "0"), ", ",
                                at(attributes.cluster, 0, extent), ", ", at(attributes.cluster, 1, extent),
                                ", ", at(attributes.cluster, 2, extent), ">);"}));
}

/// The address of a kernel that is no template, as the code behind it spells it.
std::string address_behind(const Source& source, const Declaration& kernel, bool overloaded) {
  const std::string name = qualified_name(source, kernel.name);
  std::string address = concatenate({"&", name});
  if (overloaded) {
    std::string types;
    for (const std::string& type : parameter_types(source, kernel))
      types += (types.empty() ? "" : ", ") + type;
    address = concatenate({"static_cast<void (*)(", types, ")>(&", name, ")"});
  }
  return address;
}

void register_attributes(Source& source, const Declaration& kernel, const Attributes& attributes,
                         bool overloaded, unsigned number) {
  const auto at = [](const std::vector<std::string>& list, std::size_t i) {
    return i < list.size() ? std::string_view(list[i]) : "0";
  };
  const auto extent = [&](std::size_t i) {
    return !attributes.cluster.empty() && i >= attributes.cluster.size() ? "1" : at(attributes.cluster, i);
  };
  const std::string address = address_behind(source, kernel, overloaded);
  source.insert_behind(kernel.end, concatenate({" static const ::simt::KernelAttributes simt_attributes_",
                                                std::to_string(number), "{(const void*)", address, ", ",
                                                at(attributes.bounds, 0), ", ", at(attributes.bounds, 1),
                                                ", ", extent(0), ", ", extent(1), ", ", extent(2), "};"}));
}

/// Which of the kernel's parameters are __restrict__, from bit 0 on.
unsigned long long restricted_parameters(const Source& source, const Declaration& kernel) {
  unsigned long long found = 0, parameter = 1;
  const std::size_t close = source.match(kernel.parameters);
  for (std::size_t i = kernel.parameters + 1; close != none && i < close; ++i) {
    if (source.is_any(i, {"__restrict__", "__restrict"}))
      found |= parameter;
    else if (source.is(i, ","))
      parameter <<= 1;
    else if (source.is(i, "<") && source.closing_angle(i) != none)
      i = source.closing_angle(i);
    else if (source.opens(i))
      i = source.match(i);
  }
  return found;
}

/// Says so where the kernel is defined, whose instances all have the same.
void register_restricted(Source& source, const Declaration& kernel, unsigned number) {
  const unsigned long long found = restricted_parameters(source, kernel);
  if (found == 0 || kernel.body == none || kernel.scope != Scope::namespace_scope) return;
  source.insert_behind(kernel.end, concatenate({" static const ::simt::RestrictedParameters simt_restricted_",
                                                std::to_string(number), "{\"", source.spelling(kernel.name),
                                                "\", ", std::to_string(found), "};"}));
}

bool has_default_argument(const Source& source, const Declaration& kernel) {
  const std::size_t close = source.match(kernel.parameters);
  for (std::size_t i = kernel.parameters + 1; close != none && i < close; i = source.behind(i))
    if (source.is(i, "=")) return true;
  return false;
}

bool is_inline(const Source& source, const Declaration& kernel) {
  for (std::size_t i = kernel.begin; i < kernel.parameters; ++i)
    if (source.is_any(i, {"inline", "__inline__", "__inline", "__forceinline__"})) return true;
  return false;
}

} // namespace

std::vector<Body> find_bodies(const Source& source, const std::vector<Declaration>& declarations) {
  std::vector<Body> bodies;
  for (const Declaration& declaration : declarations) {
    if (declaration.body == none) continue;
    const bool kernel = declaration.has(source, "__global__");
    const bool device = declaration.has(source, "__device__");
    bodies.push_back({declaration.body, declaration.end, &declaration, kernel || device,
                      !kernel && (!device || declaration.has(source, "__host__"))});
  }
  return bodies;
}

namespace {

/// `__global__ void k(auto* out)`: a template in all but its spelling.
bool has_auto_parameter(const Source& source, const Declaration& kernel) {
  return source.opens(kernel.parameters) &&
         source.mentions(kernel.parameters, source.match(kernel.parameters), "auto");
}

/// The functions that are no kernels and have a kernel's name: where the name stands alone, it may mean either.
class Namesakes {
public:
  Namesakes(const Source& source, const std::vector<Declaration>& declarations) : source_(source) {
    std::set<std::string_view> kernels;
    for (const Declaration& declaration : declarations)
      if (is_function(declaration) && declaration.has(source, "__global__"))
        kernels.insert(source.spelling(declaration.name));
    if (kernels.empty()) return;
    for (const Declaration& declaration : declarations)
      if (is_function(declaration) && !declaration.has(source, "__global__") &&
          kernels.count(source.spelling(declaration.name)) != 0)
        functions_.emplace(declaration.owner, source.spelling(declaration.name));
    for (std::size_t i = 0; i < source.size() && !uses_std_; ++i)
      uses_std_ = source.is(i, "using") && source.is(i + 1, "namespace") && source.is(i + 2, "std");
  }

  bool has(const Declaration& kernel) const {
    const std::string_view name = source_.spelling(kernel.name);
    return functions_.count({kernel.owner, name}) != 0 ||
           (uses_std_ && functions_.count({std::string("std"), name}) != 0);
  }

private:
  static bool is_function(const Declaration& declaration) {
    return declaration.is_function && declaration.name != none && declaration.scope == Scope::namespace_scope;
  }

  const Source& source_;
  std::set<std::pair<std::string, std::string_view>> functions_; ///< their namespaces and their names
  bool uses_std_ = false;                                        ///< `using namespace std`
};

} // namespace

Kernels rewrite_kernels(Source& source, const std::vector<Declaration>& declarations) {
  Kernels kernels;
  unsigned registered = 0, restricted = 0;
  const Namesakes namesakes(source, declarations);
  std::map<std::string_view, unsigned> templates; ///< how many define a kernel of that name
  for (const Declaration& declaration : declarations)
    if (declaration.is_template && declaration.body != none && declaration.name != none)
      ++templates[source.spelling(declaration.name)];
  for (const Declaration& declaration : declarations) {
    const Attributes attributes = take_attributes(source, declaration);
    if (!declaration.has(source, "__global__")) continue;
    for (const std::size_t i : declaration.cuda_keywords) {
      if (!source.is(i, "__global__") || source.is_edited(i)) continue;
      if (!declaration.is_function || declaration.name == none) {
        source.error(i, "__global__ belongs to a function; for a variable in device memory write __device__");
        source.erase(i);
        continue;
      }
      const bool is_friend =
          declaration.body == none && source.mentions(declaration.begin, declaration.name, "friend");
      if (declaration.scope == Scope::class_scope && !is_friend)
        source.error(
            i, "a kernel cannot be a member of a class; move it out of the class and pass it what it needs");
      const bool plain_inline = is_inline(source, declaration) || declaration.is_instantiation;
      source.replace(i, plain_inline ? "" : "__attribute__((noinline))");
    }
    if (declaration.name == none || !declaration.is_function) continue;

    Kernel& kernel = kernels[std::string(source.spelling(declaration.name))];
    kernel.has_default_argument |= has_default_argument(source, declaration);
    register_restricted(source, declaration, restricted++);
    kernel.shares_name |= namesakes.has(declaration);
    if (declaration.is_template) {
      kernel.has_template = true;
      kernel.required_template_arguments =
          std::max(kernel.required_template_arguments, declaration.required_template_arguments);
      kernel.has_template_pack |= declaration.has_template_pack;
    } else if (has_auto_parameter(source, declaration)) {
      kernel.has_template = true;
      if (!attributes.bounds.empty() || !attributes.cluster.empty())
        source.error(declaration.name,
                     "this kernel has attributes and auto parameters; write a template for its "
                     "parameters' types, as in template <class T>");
      continue;
    } else if (!declaration.is_specialization && !declaration.is_instantiation) {
      kernel.has_plain = true;
      kernel.signatures.insert(parameter_types(source, declaration));
    }
    const bool addressable = !declaration.is_template && !declaration.is_specialization &&
                             !declaration.is_instantiation && declaration.scope == Scope::namespace_scope;
    if (addressable && (!attributes.bounds.empty() || !attributes.cluster.empty()))
      register_attributes(source, declaration, attributes, kernel.is_overloaded(), registered++);
    const bool in_body =
        (declaration.is_template || declaration.is_specialization) && declaration.body != none;
    if (in_body && (!attributes.bounds.empty() || !attributes.cluster.empty()))
      register_in_body(source, declaration, attributes,
                       templates[source.spelling(declaration.name)] > 1 || kernel.shares_name);
  }
  return kernels;
}

void register_names(Source& source, const std::vector<Declaration>& declarations) {
  std::map<std::string_view, unsigned> definitions;
  for (const Declaration& kernel : declarations)
    if (kernel.has(source, "__global__") && kernel.name != none && kernel.body != none)
      ++definitions[source.spelling(kernel.name)];
  const Namesakes namesakes(source, declarations);
  unsigned number = 0;
  for (const Declaration& kernel : declarations) {
    if (!kernel.has(source, "__global__") || kernel.name == none || kernel.body == none ||
        kernel.scope != Scope::namespace_scope || source.is_shim(kernel.begin) ||
        has_auto_parameter(source, kernel))
      continue;
    const bool overloaded =
        !kernel.is_specialization && (definitions[source.spelling(kernel.name)] > 1 || namesakes.has(kernel));
    const std::string key = "simt_kernel_" + std::to_string(number++);
    source.insert_before(kernel.begin, concatenate({"static constexpr char ", key, "[] = \"",
                                                    source.spelling(kernel.name), "\"; "}));
    if (kernel.is_template || kernel.is_specialization) {
      const std::string address = address_in_body(source, kernel, overloaded, false);
      if (address.empty()) continue;
      source.insert_behind(kernel.body, concatenate({" static_cast<void>(&::simt::registered_name<", address,
                                                     ", ", key, ">);"}));
    } else {
      source.insert_behind(kernel.end,
                           concatenate({" static const ::simt::KernelName simt_named_", key, "{",
                                        address_behind(source, kernel, overloaded), ", ", key, "};"}));
    }
  }
}

} // namespace simt::compiler
