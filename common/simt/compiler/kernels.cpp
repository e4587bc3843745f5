#include "simt/compiler/passes.hpp"

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
    if (!bounds && !source.is(i, "__cluster_dims__")) continue;
    if (!source.opens(i + 1)) {
      source.error(i, concatenate({source.spelling(i), " needs its numbers in parentheses; write ",
                                   bounds ? "__launch_bounds__(256)" : "__cluster_dims__(2, 1, 1)"}));
      continue;
    }
    (bounds ? result.bounds : result.cluster) = arguments(source, i + 1);
    if (!bounds && kernel.is_template && !kernel.is_specialization)
      source.error(
          i, "__cluster_dims__ on a kernel template is not simulated; give the cluster size at the launch "
             "instead: cudaLaunchKernelEx with cudaLaunchAttributeClusterDimension");
    source.erase(i, source.behind(i + 1));
  }
  return result;
}

void register_attributes(Source& source, const Declaration& kernel, const Attributes& attributes,
                         bool overloaded, unsigned number) {
  const auto at = [](const std::vector<std::string>& list, std::size_t i) {
    return i < list.size() ? std::string_view(list[i]) : "0";
  };
  const auto extent = [&](std::size_t i) {
    return !attributes.cluster.empty() && i >= attributes.cluster.size() ? "1" : at(attributes.cluster, i);
  };
  const std::string name = qualified_name(source, kernel.name);
  std::string address = concatenate({"&", name});
  if (overloaded) {
    std::string types;
    for (const std::string& type : parameter_types(source, kernel))
      types += (types.empty() ? "" : ", ") + type;
    address = concatenate({"static_cast<void (*)(", types, ")>(&", name, ")"});
  }
  source.insert_behind(kernel.end, concatenate({" static const ::simt::KernelAttributes simt_attributes_",
                                                std::to_string(number), "{(const void*)", address, ", ",
                                                at(attributes.bounds, 0), ", ", at(attributes.bounds, 1),
                                                ", ", extent(0), ", ", extent(1), ", ", extent(2), "};"}));
}

bool returns_void(const Source& source, const Declaration& kernel) {
  for (std::size_t i = kernel.begin; i < kernel.parameters; ++i)
    if (source.is_any(i, {"void", "auto"})) return true;
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

Kernels rewrite_kernels(Source& source, const std::vector<Declaration>& declarations) {
  Kernels kernels;
  unsigned registered = 0;
  for (const Declaration& declaration : declarations) {
    const Attributes attributes = take_attributes(source, declaration);
    if (!declaration.has(source, "__global__")) continue;
    for (const std::size_t i : declaration.cuda_keywords) {
      if (!source.is(i, "__global__")) continue;
      if (!declaration.is_function || declaration.name == none) {
        source.error(i, "__global__ belongs to a function; for a variable in device memory write __device__");
        source.erase(i);
        continue;
      }
      if (declaration.scope == Scope::class_scope)
        source.error(
            i, "a kernel cannot be a member of a class; move it out of the class and pass it what it needs");
      else if (!returns_void(source, declaration))
        source.error(i, "a kernel returns nothing; write __global__ void and pass a pointer for its result");
      const bool plain_inline = is_inline(source, declaration) || declaration.is_instantiation;
      source.replace(i, plain_inline ? "" : "__attribute__((noinline))");
    }
    if (declaration.name == none || !declaration.is_function) continue;

    Kernel& kernel = kernels[std::string(source.spelling(declaration.name))];
    if (declaration.is_template) {
      kernel.has_template = true;
      kernel.required_template_arguments =
          std::max(kernel.required_template_arguments, declaration.required_template_arguments);
      kernel.has_template_pack |= declaration.has_template_pack;
    } else if (!declaration.is_specialization && !declaration.is_instantiation) {
      kernel.has_plain = true;
      kernel.signatures.insert(parameter_types(source, declaration));
    }
    const bool addressable = !declaration.is_template && !declaration.is_specialization &&
                             !declaration.is_instantiation && declaration.scope == Scope::namespace_scope;
    if (addressable && (!attributes.bounds.empty() || !attributes.cluster.empty()))
      register_attributes(source, declaration, attributes,
                          kernel.has_template || kernel.signatures.size() > 1, registered++);
  }
  return kernels;
}

} // namespace simt::compiler
