// What nvcc takes as a kernel: its result, parameters, qualifiers and attributes.
#include "simt/translate/passes.hpp"

#include <tuple>

namespace simt::compiler {
namespace {

using Range = TokenRange;

/// The pieces between the commas of the list from `open` to `close`; those without a token are left out.
std::vector<Range> pieces(const Source& source, std::size_t open, std::size_t close) {
  std::vector<Range> found = source.pieces(open, close);
  std::erase_if(found, [](const Range& range) { return range.first == range.second; });
  return found;
}

/// A parameter whose type only the compiler knows: a class, an alias or a template's parameter.
struct Parameter {
  std::size_t name = none;
  bool is_pack = false;
  bool is_grid_constant = false;
  bool is_reference = false;
  bool is_plain = false;          ///< a pointer, an array or a number
  bool is_member_pointer = false; ///< to data, as in `int S::*m`
};

Parameter inspect(const Source& source, const Range& range) {
  Parameter result;
  bool has_type = false, is_number = false;
  for (std::size_t i = range.first; i < range.second; ++i) {
    if (const std::size_t behind = source.behind_attribute(i); behind != i) {
      i = behind - 1;
    } else if (source.is_any(i, {"=", "["})) {
      result.is_plain |= source.is(i, "[");
      break;
    } else if (source.is(i, "*") && source.is(i - 1, "::")) {
      result.is_member_pointer = true;
    } else if (source.is_any(i, {"*", "("})) {
      result.is_plain = true; // a pointer, also to a function
    } else if (source.is(i, "<") && source.closing_angle(i) != none) {
      i = source.closing_angle(i);
      has_type = true;
    } else if (source.is(i, "__grid_constant__")) {
      result.is_grid_constant = true;
    } else if (source.is(i, "...")) {
      result.is_pack = true;
    } else if (source.is_any(i, {"&", "&&"})) {
      result.is_reference = true;
    } else if (source.is_any(i,
                             {"int", "unsigned", "signed", "long", "short", "char", "bool", "float", "double",
                              "size_t", "ptrdiff_t", "int32_t", "uint32_t", "int64_t", "uint64_t"})) {
      has_type = is_number = true;
    } else if (source.is_any(i, {"auto", "decltype"})) {
      has_type = true;
    } else if (source.is_name(i) && !source.is_any(i, {"__restrict__", "__restrict"})) {
      if (has_type && !source.is(i - 1, "::")) result.name = i;
      has_type = true;
    }
  }
  result.is_plain |= is_number && !result.is_reference && !result.is_member_pointer;
  return result;
}

/// A list of the parameters' types, for a template's arguments.
std::string types_of(const Source& source, const std::vector<Parameter>& parameters) {
  std::string list;
  for (const Parameter& parameter : parameters)
    if (parameter.name != none)
      list += concatenate({list.empty() ? "decltype(" : ", decltype(", source.spelling(parameter.name), ")",
                           parameter.is_pack ? "..." : ""});
  return list;
}

/// Whether the program asks which memory an address is in.
bool mentions_address_spaces(const Source& source) {
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source.is_any(i, {"__isGridConstant", "__isLocal", "__isGlobal"}) && source.is_own(i)) return true;
  return false;
}

void check_parameters(Source& source, const Declaration& kernel, bool asks_for_address_spaces) {
  const std::size_t close = source.match(kernel.parameters);
  if (close == none) return;
  if (source.is(close - 1, "...") && !source.is_any(close - 2, {">", "auto"}) &&
      (!kernel.has_template_pack || source.is(close - 2, ",")))
    source.error(close - 1,
                 concatenate({source.spelling(kernel.name),
                              " takes a variable number of arguments, and a launch hands over a fixed one; "
                              "write a template, as in template <class... T>, or pass an array"}));
  std::vector<Parameter> parameters;
  bool has_class = false;
  for (const Range& range : pieces(source, kernel.parameters, close)) {
    parameters.push_back(inspect(source, range));
    has_class |= !parameters.back().is_plain && parameters.back().name != none;
  }
  if (kernel.body == none) return;
  for (const Parameter& parameter : parameters) {
    if (parameter.name == none) continue;
    const std::string name(source.spelling(parameter.name)), type = "decltype(" + name + ")";
    const std::string of_pack = parameter.is_pack ? " && ...)" : "";
    const char* const open = parameter.is_pack ? "(" : "";
    if (parameter.is_grid_constant && !parameter.is_pack && asks_for_address_spaces)
      source.insert_behind(kernel.body, concatenate({" const ::simt::GridConstant simt_grid_constant_", name,
                                                     "(", name, ");"}));
    if (parameter.is_grid_constant)
      source.insert_behind(
          kernel.body,
          source.assertion(concatenate({open, "::simt::is_read_only<", type, ">", of_pack}), parameter.name,
                           "__grid_constant__ is for parameters that no thread can change, and " + name +
                               " is not const; write const before its type"));
    if (parameter.is_reference && !parameter.is_pack)
      source.insert_behind(kernel.body,
                           concatenate({" ::simt::note_reference<", type, ">(", name, ", \"", name, "\");"}));
    if (!parameter.is_plain)
      source.insert_behind(
          kernel.body,
          source.assertion(
              concatenate({open, "::simt::is_parameter<", type, ">", of_pack}), parameter.name,
              name +
                  " cannot be a kernel's parameter: references to values (&&), initializer_list and "
                  "va_list refer to memory of the launching thread; pass the values, or a pointer to device "
                  "memory"));
    // nvcc 13.0 names such a kernel in two ways, of which the linker finds one; those of templates it names rightly.
    if (parameter.is_member_pointer && !kernel.is_template)
      source.error(
          parameter.name,
          concatenate({name, " is declared as a pointer to a member of a class, and nvcc does not link a "
                             "kernel with such a parameter; write a name for its type with using, or "
                             "make it a member of a struct that the kernel takes"}));
  }
  if (has_class)
    source.insert_behind(
        kernel.body,
        source.assertion(
            concatenate({"::simt::parameter_bytes<", types_of(source, parameters), ">() <= 32764"}),
            kernel.name,
            concatenate(
                {"the parameters of ", source.spelling(kernel.name),
                 " take more than 32,764 bytes, the most that a launch hands over; copy them to device "
                 "memory and pass a pointer"})));
}

/// The tokens of the return type, without specifiers; those of a trailing one where there is one.
std::vector<std::size_t> return_type(const Source& source, const Declaration& kernel, bool& is_deduced) {
  std::vector<std::size_t> tokens;
  std::size_t name = kernel.name;
  while (name >= 2 && source.is(name - 1, "::")) name -= 2;
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (const std::size_t behind = source.behind_attribute(i); behind != i) {
        i = behind - 1;
      } else if (source.is(i, "template")) {
        const std::size_t close = source.is(i + 1, "<") ? source.closing_angle(i + 1) : none;
        if (close != none) i = close;
      } else if (source.is_any(i, {"__launch_bounds__", "__cluster_dims__", "__maxnreg__"})) {
        i = source.behind(i + 1) - 1;
      } else if (source.is(i, "requires")) {
        return; // where the type begins behind it is not known
      } else if (source.kind(i) != TokenKind::string &&
                 !source.is_any(i, {"__global__", "__device__", "__host__", "__noinline__", "__forceinline__",
                                    "__inline__", "__inline", "inline", "static", "extern", "constexpr",
                                    "friend", "typename", "virtual", "const"})) {
        tokens.push_back(i);
      }
    }
  };
  add(kernel.begin, name);
  is_deduced = tokens.size() == 1 && source.is(tokens[0], "auto");
  const std::size_t close = source.match(kernel.parameters);
  if (!is_deduced || close == none) return tokens;
  const std::size_t end = kernel.body == none ? kernel.end : kernel.body;
  for (std::size_t i = close + 1; i < end; ++i) {
    if (!source.is(i, "->")) continue;
    tokens.clear();
    is_deduced = false;
    add(i + 1, end);
    break;
  }
  return tokens;
}

void check_result(Source& source, const Declaration& kernel, std::size_t keyword) {
  static constexpr std::string_view text =
      "a kernel returns nothing; write __global__ void and pass a pointer for its result";
  bool is_deduced = false, is_known = false;
  for (std::size_t i = kernel.begin; i < kernel.parameters; ++i)
    if (source.is(i, "requires")) return;
  const std::vector<std::size_t> type = return_type(source, kernel, is_deduced);
  if (is_deduced) {
    source.error(keyword,
                 concatenate({"the result of ", source.spelling(kernel.name),
                              " is to be deduced, and a kernel's has to be written; write __global__ void"}));
    return;
  }
  std::string spelt;
  for (const std::size_t i : type) {
    is_known |= source.is_name(i) || source.is_any(i, {"decltype"});
    spelt += concatenate({spelt.empty() ? "" : " ", source.flat(i, i + 1)});
  }
  if (spelt == "void") return;
  if (!is_known)
    source.error(keyword, std::string(text));
  else if (kernel.body != none)
    source.insert_behind(kernel.body, source.assertion("::simt::is_nothing<" + spelt + ">", keyword, text));
}

/// The numbers of an attribute are constants for the compiler.
void check_numbers(Source& source, const Declaration& kernel, std::size_t keyword) {
  const std::string name(source.spelling(keyword));
  if (!source.opens(keyword + 1)) return; // rewrite_kernels() tells
  const std::vector<Range> numbers = pieces(source, keyword + 1, source.match(keyword + 1));
  const std::size_t most = name == "__maxnreg__" ? 1 : 3;
  if ((numbers.empty() && name != "__cluster_dims__") || numbers.size() > most) {
    source.error(keyword,
                 concatenate({name, " has ", std::to_string(numbers.size()), " numbers, and takes one",
                              most == 1 ? "" : " to three", "; write ",
                              name == "__cluster_dims__" ? "__cluster_dims__(2, 1, 1)" : name + "(128)"}));
    return;
  }
  if (kernel.is_template && kernel.body == none) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string number = source.flat(numbers[i].first, numbers[i].second);
    // For launch bounds nvcc takes any constant.
    const bool is_extent = name != "__launch_bounds__";
    const std::string text = source.assertion(
        concatenate({"((", number, is_extent ? ") > 0)" : ") | 1) != 0"}), keyword,
        concatenate({number, " in ", name, " has to be a constant", is_extent ? " of at least 1" : "",
                     " that the compiler knows: a number, a constexpr or a template parameter"}));
    if (kernel.is_template)
      source.insert_behind(kernel.body, text);
    else
      source.insert_before(kernel.begin, text);
  }
}

void check_attributes(Source& source, const Declaration& function) {
  const bool is_kernel = function.has(source, "__global__");
  std::size_t bounds = none, registers = none;
  for (const std::size_t i : function.cuda_keywords) {
    if (!source.is_any(i, {"__launch_bounds__", "__cluster_dims__", "__maxnreg__"})) continue;
    if (!is_kernel)
      source.error(i, concatenate({source.spelling(i),
                                   " says how a kernel is launched, and this is none; leave it out"}));
    else if (i > function.parameters && function.body != none)
      source.error(i, concatenate({source.spelling(i),
                                   " cannot stand behind the parameters of a kernel that is defined; "
                                   "write it before the kernel's name"}));
    else
      check_numbers(source, function, i);
    if (source.is(i, "__launch_bounds__")) bounds = i;
    if (source.is(i, "__maxnreg__")) registers = i;
  }
  if (bounds != none && registers != none)
    source.error(registers,
                 "__maxnreg__ and __launch_bounds__ both limit the registers of a thread, and exclude each "
                 "other; leave one of them out");
}

void check_template(Source& source, const Declaration& kernel) {
  std::size_t open = kernel.begin;
  while (open < kernel.name && !source.is(open, "template")) ++open;
  if (!source.is(++open, "<") || source.closing_angle(open) == none) return;
  const std::vector<Range> parameters = pieces(source, open, source.closing_angle(open));
  for (std::size_t k = 0; k + 1 < parameters.size(); ++k) {
    for (std::size_t i = parameters[k].first; i < parameters[k].second; ++i) {
      if (source.is(i, "<") && source.closing_angle(i) != none) i = source.closing_angle(i);
      if (!source.is(i, "...")) continue;
      source.error(
          i, concatenate(
                 {"the template parameters of the kernel ", source.spelling(kernel.name),
                  " have a pack that is not the last one, which nvcc does not take; write it last, and no "
                  "second one"}));
      return;
    }
  }
}

void check_qualifiers(Source& source, const Declaration& kernel) {
  for (const std::size_t i : kernel.cuda_keywords) {
    if (!source.is_any(i, {"__host__", "__device__"})) continue;
    source.error(
        i, concatenate({"a function is __global__ or ", source.spelling(i), ", not both; write ",
                        source.spelling(kernel.name),
                        " as a kernel that calls a __host__ __device__ function with what both sides do"}));
    return;
  }
  for (std::size_t i = kernel.begin; i < kernel.name; ++i)
    if (source.is_any(i, {"constexpr", "consteval"}))
      source.error(i, concatenate({"a kernel cannot be ", source.spelling(i),
                                   ", because no constant can launch one; leave it "
                                   "out of ",
                                   source.spelling(kernel.name)}));
  const std::size_t close = source.match(kernel.parameters);
  const std::size_t end = kernel.body == none ? kernel.end : kernel.body;
  if (close != none && source.is(close + 1, "=") && source.is_any(close + 2, {"delete", "default"}))
    source.error(close + 2,
                 concatenate({"nvcc takes no deleted kernel; leave ", source.spelling(kernel.name), " out"}));
  for (std::size_t i = close; close != none && i < end; ++i)
    if (source.is(i, "noexcept"))
      source.error(
          i, concatenate({"nvcc takes no noexcept on a kernel, which throws nothing anyway; leave it out of ",
                          source.spelling(kernel.name)}));
}

/// The template headers of a function, as they are spelt.
std::string template_headers(const Source& source, const Declaration& function) {
  std::string text;
  for (std::size_t i = function.begin; i < function.name; ++i)
    if (source.is(i, "template") && source.is(i + 1, "<") && source.closing_angle(i + 1) != none)
      text += source.flat(i + 1, source.closing_angle(i + 1));
  return text;
}

/// Kernels that are declared again without `__global__`.
void check_redeclarations(Source& source, const std::vector<Declaration>& declarations) {
  using Function = std::tuple<std::string, std::string, std::string_view, std::vector<std::string>>;
  std::set<Function> kernels;
  for (const Declaration& function : declarations) {
    if (!function.is_function || function.name == none || function.is_instantiation ||
        function.is_specialization || function.scope != Scope::namespace_scope ||
        !source.is_own(function.begin) || source.is(function.name - 1, "::") ||
        source.match(function.parameters) == none)
      continue;
    const Function key = {template_headers(source, function), function.owner, source.spelling(function.name),
                          parameter_types(source, function)};
    if (function.has(source, "__global__"))
      kernels.insert(key);
    else if (kernels.contains(key))
      source.error(function.name,
                   concatenate({source.spelling(function.name),
                                " is a kernel by an earlier declaration; write __global__ here too"}));
  }
}

/// `name` and what follows up to the `;` of a declaration: the names that it declares, if it has nothing else.
std::vector<std::size_t> names_declared(const Source& source, std::size_t name) {
  std::vector<std::size_t> names = {name};
  for (; source.is(name + 1, ",") && source.is_name(name + 2); name += 2) names.push_back(name + 2);
  if (!source.is(name + 1, ";")) names.clear();
  return names;
}

} // namespace

void drop_keywords_of_typed_functions(Source& source, const std::vector<Declaration>& declarations) {
  const std::set<std::string_view> types = names_of_function_types(source);
  if (types.empty()) return;
  for (const Declaration& declaration : declarations) {
    if (declaration.is_function || declaration.scope != Scope::namespace_scope ||
        !source.is_own(declaration.begin) || declaration.cuda_keywords.empty())
      continue;
    std::size_t type = declaration.specifiers;
    while (source.is_any(type, {"static", "extern", "inline", "::"}) ||
           (source.is_name(type) && source.is(type + 1, "::")))
      ++type;
    if (!types.contains(source.spelling(type)) || !source.is_name(type + 1)) continue;
    const std::size_t keyword = declaration.cuda_keywords.front();
    for (const std::size_t name : names_declared(source, type + 1))
      source.insert_behind(
          declaration.end,
          declaration.has(source, "__global__")
              ? source.assertion(
                    concatenate({"::simt::is_type_of_kernel<decltype(", source.spelling(name), ")>"}),
                    keyword,
                    "a kernel returns nothing; write __global__ void and pass a pointer for its result")
              : source.assertion(
                    concatenate({"::simt::is_function<decltype(", source.spelling(name), ")>"}), keyword,
                    concatenate({source.spelling(name), " has a type with the name of a function "
                                                        "type; give the types different names"})));
    for (const std::size_t i : declaration.cuda_keywords) source.erase(i);
  }
}

void check_kernels(Source& source, const std::vector<Declaration>& declarations) {
  check_redeclarations(source, declarations);
  const bool asks_for_address_spaces = mentions_address_spaces(source);
  for (const Declaration& function : declarations) {
    if (source.is_shim(function.begin) || !function.is_function || function.name == none ||
        source.match(function.parameters) == none)
      continue;
    check_attributes(source, function);
    std::size_t keyword = none;
    for (const std::size_t i : function.cuda_keywords)
      if (source.is(i, "__global__")) keyword = i;
    if (keyword == none) {
      for (std::size_t i = function.parameters; i < source.match(function.parameters); ++i)
        if (source.is(i, "__grid_constant__"))
          source.error(i, "__grid_constant__ is for parameters of kernels; leave it out of other functions");
      continue;
    }
    if (function.scope == Scope::class_scope) continue; // an error already
    if (!function.is_instantiation) check_result(source, function, keyword);
    check_qualifiers(source, function);
    if (!function.is_instantiation) check_parameters(source, function, asks_for_address_spaces);
    if (function.is_template) check_template(source, function);
  }
}

} // namespace simt::compiler
