#include "simt/translate/passes.hpp"

namespace simt::compiler {
namespace {

/// A declaration of one or several variables with `__device__`, `__constant__` or `__managed__`.
struct Variable {
  std::vector<std::size_t> keywords;
  std::vector<std::size_t> constants; ///< `const` that makes the variable itself constant
  bool is_compile_time = false;       ///< constexpr, or a const integer with a value: no memory is read
  std::size_t inline_keyword = none;
  bool has_linkage = false; ///< static, extern, or a member
  bool has_storage = false; ///< static, extern or constexpr
  bool is_defined = true;
};

bool is_integer(const Source& source, std::size_t i) {
  return source.is_any(i, {"int", "unsigned", "long", "short", "char", "bool", "size_t", "int32_t",
                           "uint32_t", "int64_t", "uint64_t", "ptrdiff_t"});
}

Variable inspect(const Source& source, const Declaration& declaration) {
  Variable result;
  result.keywords = declaration.cuda_keywords;
  result.has_linkage = declaration.scope != Scope::namespace_scope || declaration.is_template;
  bool integer = false;
  bool pointer = false;
  bool array = false;
  bool has_value = false;
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    if (const std::size_t behind = source.behind_attribute(i); behind != i) {
      i = behind - 1;
    } else if (source.is(i, "template") && source.is(i + 1, "<") && source.closing_angle(i + 1) != none) {
      i = source.closing_angle(i + 1);
    } else if (source.is(i, "<") && source.closing_angle(i) != none) {
      i = source.closing_angle(i);
    } else if (source.is_any(i, {"=", "{"}) && !source.is_any(i - 1, {"struct", "union"})) {
      has_value = true;
      break;
    } else if (source.is(i, "[")) {
      array = true;
      i = source.behind(i) - 1;
    } else if (source.is(i, "*")) {
      pointer = true;
      result.constants.clear(); // those before belong to what is pointed to
    } else if (source.is_any(i, {"constexpr", "constinit"})) {
      result.is_compile_time = result.has_storage = source.is(i, "constexpr");
    } else if (source.is(i, "const")) {
      result.constants.push_back(i);
    } else if (source.is_any(i, {"static", "extern"})) {
      result.has_linkage = result.has_storage = true;
      result.is_defined &= !source.is(i, "extern");
    } else if (source.is(i, "inline")) {
      result.inline_keyword = i;
    }
    integer |= is_integer(source, i);
  }
  if (declaration.scope == Scope::class_scope) result.is_defined = result.inline_keyword != none;
  result.is_compile_time |= integer && !pointer && !array && has_value && !result.constants.empty();
  return result;
}

void rewrite(Source& source, const Declaration& declaration) {
  const Variable variable = inspect(source, declaration);
  // g++ ignores the section of what a template defines, and the simulator would not find the variable.
  if (declaration.is_template && !variable.is_compile_time)
    source.error(variable.keywords.front(), "a variable template in device memory is not simulated; "
                                            "declare one variable for each type that is needed");
  if (declaration.scope == Scope::class_scope && !variable.is_compile_time)
    source.error(variable.keywords.front(),
                 "a variable in device memory cannot be a member of a class; move it out "
                 "to namespace scope");
  for (const std::size_t i : variable.keywords) source.erase(i);
  if (variable.is_compile_time) return;
  // Constants are not instrumented by compilers, and cannot share a section with variables.
  for (const std::size_t i : variable.constants) source.erase(i);
  std::string section = declaration.has(source, "__constant__")  ? "simt_constant"
                        : declaration.has(source, "__managed__") ? "simt_managed"
                                                                 : "simt_device";
  // g++ refuses one section for inline variables and others. A device variable is its file's own anyway;
  // only a member must stay inline.
  const bool is_inline = variable.inline_keyword != none;
  if (is_inline && variable.has_linkage)
    section += "_inline";
  else if (is_inline)
    source.erase(variable.inline_keyword);
  const bool make_static = (is_inline || !variable.constants.empty()) && !variable.has_linkage;
  // `used`: a variable that this file never writes would otherwise be taken for a constant.
  source.insert_before(variable.keywords.front(),
                       concatenate({make_static ? "static " : "", "__attribute__((section(\"", section, "\")",
                                    variable.is_defined ? ", used))" : "))"}));
}

/// Tells the simulator what elements the variables of a declaration at namespace scope have.
void describe(Source& source, const Declaration& declaration) {
  if (declaration.scope != Scope::namespace_scope || declaration.is_template ||
      !inspect(source, declaration).is_defined || inspect(source, declaration).is_compile_time)
    return;
  bool in_value = false;
  for (std::size_t i = declaration.begin; i < declaration.end; i = source.behind(i)) {
    if (!in_value && source.is(i, "<") && source.closing_angle(i) != none) i = source.closing_angle(i);
    if (source.is_any(i, {"=", "{"})) in_value = true;
    if (source.is(i, ",")) in_value = false;
    if (in_value || !source.is_name(i) || !source.is_any(i + 1, {"[", "=", ";", ",", "{"})) continue;
    const std::string_view name = source.spelling(i);
    source.insert_behind(declaration.end, concatenate({" [[maybe_unused]] static const ::simt::VariableShape "
                                                       "simt_shape_",
                                                       name, "(", name, ");"}));
  }
}

bool is_variable_keyword(const Source& source, std::size_t i) {
  return source.is_any(i, {"__device__", "__constant__", "__managed__"});
}

/// Whether the keyword at i belongs to a lambda: `[=] __device__ (int i) { ... }`.
bool is_on_lambda(const Source& source, std::size_t i) {
  while (i > 0 && source.is_any(i - 1, {"__device__", "__host__"})) --i;
  return i > 0 && source.is_any(i - 1, {"]", ")"});
}

} // namespace

void rewrite_device_variables(Source& source, const std::vector<Declaration>& declarations,
                              const std::vector<Body>& bodies) {
  for (const Declaration& declaration : declarations) {
    const bool on_variable = declaration.has(source, "__device__") ||
                             declaration.has(source, "__constant__") ||
                             declaration.has(source, "__managed__");
    if (!on_variable || declaration.has(source, "__shared__")) continue;
    if (!declaration.is_function) {
      rewrite(source, declaration);
      if (!declaration.has(source, "__managed__")) describe(source, declaration);
    } else if (declaration.has(source, "__constant__")) {
      source.error(declaration.cuda_keywords.front(),
                   "__constant__ belongs to a variable; for a function of the device write __device__");
    }
  }
  for (const Body& body : bodies) {
    for (std::size_t i = body.open; i < body.close; ++i) {
      if (!is_variable_keyword(source, i) || source.is_edited(i) || is_on_lambda(source, i)) continue;
      const Declaration local = read_local_declaration(source, source.declaration_begin(i));
      if (local.is_function || local.cuda_keywords.empty() || local.end == none) continue;
      if (inspect(source, local).has_storage)
        rewrite(source, local);
      else
        source.error(
            i, concatenate({source.spelling(i), " on a variable in a function needs static; write static ",
                            source.spelling(i), ", or leave it out for a variable of the thread's own"}));
    }
  }
}

} // namespace simt::compiler
