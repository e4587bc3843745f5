#include "simt/translate/passes.hpp"

#include <map>

namespace simt::compiler {
namespace {

/// A variable at namespace scope that only the host has.
struct HostVariable {
  bool is_array = false;
  bool is_constant = false; ///< const or constexpr
};
using HostVariables = std::map<std::string_view, HostVariable>;

/// Where the specifiers of a variable's declaration end, as its name: `none` if it declares something else.
std::size_t first_name(const Source& source, const Declaration& declaration) {
  std::size_t name = none;
  for (std::size_t i = declaration.begin; i < declaration.end;) {
    if (const std::size_t behind = source.behind_attribute(i); behind != i) {
      i = behind;
    } else if (source.is_any(i,
                             {"typedef", "using", "struct", "class", "union", "enum", "namespace", "template",
                              "operator", "friend", "static_assert", "concept", "extern", "asm", "("})) {
      return none;
    } else if (source.is(i, "<") && source.closing_angle(i) != none) {
      i = source.closing_angle(i) + 1;
    } else if (source.is_any(i, {"[", "=", "{", ";", ","})) {
      break;
    } else {
      if (source.is_name(i)) name = i;
      ++i;
    }
  }
  // The name of a type stands before it.
  return name != none && name > declaration.begin ? name : none;
}

/// Those of the program itself. Of a declaration of several variables only the first is looked at.
HostVariables find_host_variables(const Source& source, const std::vector<Declaration>& declarations) {
  HostVariables found;
  for (const Declaration& declaration : declarations) {
    const std::size_t begin = declaration.begin;
    if (declaration.scope != Scope::namespace_scope || declaration.is_function || declaration.is_template ||
        !declaration.cuda_keywords.empty() || !source.is_own(begin))
      continue;
    const std::size_t name = first_name(source, declaration);
    if (name == none) continue;
    HostVariable variable;
    variable.is_array = source.is(name + 1, "[");
    bool is_const = false, is_pointer = false;
    for (std::size_t i = begin; i < name; ++i) {
      is_const |= source.is_any(i, {"const", "constexpr"});
      if (source.is(i, "*")) is_pointer = !source.is_any(i + 1, {"const"});
      variable.is_constant |= source.is(i, "constexpr");
    }
    variable.is_constant |= is_const && !is_pointer;
    found.emplace(source.spelling(name), variable);
  }
  // A member or a function of that name, or one that a device variable has too, may be what is meant.
  for (const Declaration& declaration : declarations) {
    if (declaration.is_function && declaration.name != none) found.erase(source.spelling(declaration.name));
    const bool other = declaration.scope == Scope::class_scope || !declaration.cuda_keywords.empty();
    if (!other || declaration.is_function || declaration.end == none || source.is_shim(declaration.begin))
      continue;
    for (std::size_t i = declaration.begin; i < declaration.end && !found.empty(); ++i)
      if (source.is_name(i)) found.erase(source.spelling(i));
  }
  return found;
}

/// Whether `name` may be declared between `begin` and `end`, as a parameter or a variable.
bool may_be_declared(const Source& source, std::size_t begin, std::size_t end, std::string_view name) {
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (!source.is(i, name)) continue;
    if (source.is_name(i - 1) ||
        source.is_any(i - 1, {"auto", "int", "unsigned", "long", "short", "char", "bool", "float", "double",
                              "signed", "const", ">", "&&", "..."}))
      return true;
    if (source.is_any(i - 1, {"*", "&"}) && source.is_any(i + 1, {"=", ";", ",", ")", "[", ":", "{"}) &&
        (!source.is_name(i - 2) || source.is_any(i - 3, {";", "{", "}", "(", ",", "const", "::"})))
      return true;
    // Behind a comma it is one of several declarators, unless the comma stands within parentheses of a call.
    if (source.is_any(i - 1, {",", "["}) && source.is_any(i + 1, {"=", ";", ",", "[", "]", "{"})) return true;
  }
  return false;
}

/// Whether only the type or the value at compile time of what stands at i is asked for.
bool is_unevaluated(const Source& source, std::size_t i, std::size_t open) {
  for (std::size_t k = i; k > open && !source.is_any(k, {";", "{", "}"}); --k)
    if (source.is_any(k, {"sizeof", "decltype", "alignof", "noexcept", "constexpr", "static_assert", "case"}))
      return true;
  return false;
}

void check_body(Source& source, const Body& body, const HostVariables& variables) {
  for (std::size_t i = body.open + 1; i < body.close; ++i) {
    if (!source.is_name(i) || source.is_any(i - 1, {".", "->", "::"}) || source.is_any(i + 1, {"(", "::"}))
      continue;
    const auto found = variables.find(source.spelling(i));
    if (found == variables.end()) continue;
    const auto& [name, variable] = *found;
    if (variable.is_constant && !variable.is_array) continue;
    if (may_be_declared(source, body.function->begin, body.close, name) ||
        is_unevaluated(source, i, body.open))
      continue;
    const char* remedy =
        variable.is_array && variable.is_constant ? "write __constant__ before its declaration"
        : variable.is_array ? "write __device__ before its declaration, or copy it to the device "
                              "and pass a pointer"
                            : "pass it as an argument, or make it constexpr if it never changes";
    source.error(
        i, concatenate({name, " is a variable of the host, and device code does not have it; ", remedy}));
  }
}

} // namespace

void check_host_variables(Source& source, const std::vector<Declaration>& declarations,
                          const std::vector<Body>& bodies) {
  const HostVariables variables = find_host_variables(source, declarations);
  if (variables.empty()) return;
  for (const Body& body : bodies)
    if (body.on_device && !body.on_host && !source.is_shim(body.open) &&
        body.function->scope == Scope::namespace_scope)
      check_body(source, body, variables);
}

} // namespace simt::compiler
