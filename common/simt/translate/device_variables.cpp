#include "simt/translate/passes.hpp"
#include "simt/translate/sides.hpp"

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

/// The index behind the body of a class or an enumeration whose keyword stands at i; i where no body follows.
std::size_t behind_class(const Source& source, std::size_t i) {
  if (!source.is_any(i, {"struct", "class", "union", "enum"})) return i;
  std::size_t k = i + 1;
  while (k < source.size() && !source.is_any(k, {"{", ";", "=", ",", ")", "["})) {
    const std::size_t behind = source.behind_attribute(k);
    k = behind != k                                            ? behind
        : source.is(k, "<") && source.closing_angle(k) != none ? source.closing_angle(k) + 1
                                                               : k + 1;
  }
  return source.is(k, "{") && source.opens(k) ? source.behind(k) : i;
}

Variable inspect(const Source& source, const Declaration& declaration) {
  Variable result;
  result.keywords = declaration.cuda_keywords;
  result.has_linkage =
      declaration.scope != Scope::namespace_scope || declaration.is_template || declaration.is_specialization;
  bool integer = false;
  bool pointer = false;
  bool array = false;
  bool has_value = false;
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    if (const std::size_t behind = source.behind_attribute(i); behind != i) {
      i = behind - 1;
    } else if (const std::size_t behind = behind_class(source, i); behind != i) {
      i = behind - 1;
    } else if (source.is(i, "template") && source.is(i + 1, "<") && source.closing_angle(i + 1) != none) {
      i = source.closing_angle(i + 1);
    } else if (source.is(i, "<") && source.closing_angle(i) != none) {
      i = source.closing_angle(i);
    } else if (source.is_any(i, {"=", "{"})) {
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

/// The first of a variable declaration's tokens [begin, end) behind i that is no attribute, no template argument list and in no
/// class that the declaration defines.
std::size_t next_token(const Source& source, std::size_t i) {
  if (const std::size_t behind = source.behind_attribute(i); behind != i) return behind;
  if (const std::size_t behind = behind_class(source, i); behind != i) return behind;
  if (source.is(i, "template") && source.is(i + 1, "<")) ++i;
  if (source.is(i, "<") && source.closing_angle(i) != none) return source.closing_angle(i) + 1;
  return source.behind(i);
}

/// Whether one of the variables has an initial value: a list in braces with nothing in it is none.
bool has_initial_value(const Source& source, const Declaration& declaration) {
  for (std::size_t i = declaration.begin; i < declaration.end; i = next_token(source, i)) {
    if (source.is(i, "=") && !source.is(i + 1, "{")) return true;
    if (!source.is_any(i, {"{", "("}) || !source.opens(i) || source.match(i) == i + 1) continue;
    if (source.is(i, "{") ? source.is_any(i - 1, {"=", "]"}) || source.is_name(i - 1)
                          : source.is_name(i - 1) && !source.is_any(i + 1, {"*", "&"}))
      return true;
  }
  return false;
}

/// Whether one of the tokens before the first value is in the list.
bool has_specifier(const Source& source, const Declaration& declaration,
                   std::initializer_list<std::string_view> list) {
  for (std::size_t i = declaration.begin; i < declaration.end; i = next_token(source, i)) {
    if (source.is_any(i, list)) return true;
    if (source.is_any(i, {"=", "{"})) break;
  }
  return false;
}

bool declares_function_pointer(const Source& source, const Declaration& declaration) {
  for (std::size_t i = declaration.begin; i < declaration.end; i = next_token(source, i)) {
    if (source.is_any(i, {"=", "{"})) break;
    if (source.is(i, "(") && source.opens(i) && source.is(i + 1, "*")) return true;
  }
  return false;
}

/// Whether nvcc computes no value of this function of the C library, and g++ does.
bool is_computed_by_host_compiler(std::string_view name) {
  if (name == "strcmp" || name == "memcmp" || name == "labs" || name == "llabs") return true;
  return is_mathematical_function(name) && name != "ceil" && name != "fabs" && name != "copysign";
}

/// Calls of the C library in an initial value are no constants.
void keep_library_functions_from_value(Source& source, const Declaration& declaration,
                                       const FunctionNames& own) {
  bool in_value = false;
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    if (!in_value) i = behind_class(source, i);
    in_value |= source.is_any(i, {"=", "{", "("});
    if (!in_value || !source.is_name(i) || !source.is(i + 1, "(") || source.match(i + 1) == none) continue;
    std::size_t begin = i;
    if (source.is(begin - 1, "::")) begin -= source.is(begin - 2, "std") ? 2 : 1;
    if (begin + 1 == i && source.is_name(begin - 1)) continue; // of another namespace
    if (source.is_any(begin - 1, {".", "->"}) || own.contains(source.spelling(i)) ||
        !is_computed_by_host_compiler(source.spelling(i)))
      continue;
    source.insert_before(begin, "::simt::computed_at_run_time(");
    source.insert_behind(source.match(i + 1), ")");
  }
}

/// A variable whose constructor would have to run before the first kernel is refused.
std::string assertion_of_no_constructor(const Source& source, const std::string& type, std::size_t name) {
  const std::string spelt(source.spelling(name));
  return source.assertion(
      "::simt::needs_no_constructor<" + type + ">", name,
      spelt +
          " has a constructor that would have to run before the first kernel, and CUDA runs none "
          "for variables in device memory; let the constructor be empty or constexpr, and set " +
          spelt + " in a kernel or by cudaMemcpyToSymbol");
}

std::string assertion_of_no_destructor(const Source& source, const std::string& type, std::size_t name) {
  return source.assertion(
      "::simt::needs_no_destructor<" + type + ">", name,
      std::string(source.spelling(name)) +
          " has a destructor that would have to run at the end of the program, and CUDA runs none "
          "for variables in device memory; leave the destructor out, or empty");
}

/// Has the compiler refuse what would have to run before the first kernel: device memory is filled with constants when the
/// program is loaded.
void require_constant_value(Source& source, const Declaration& declaration, const FunctionNames& own) {
  const bool has_value = has_initial_value(source, declaration);
  const bool is_constant = has_specifier(source, declaration, {"constexpr", "constinit"});
  // g++ takes no constinit on pointers to functions, and puts references with it among the constants.
  if (has_value && !is_constant && !declaration.is_template && !has_specifier(source, declaration, {"&"}) &&
      !declares_function_pointer(source, declaration))
    source.insert_before(declaration.cuda_keywords.empty() ? declaration.begin
                                                           : declaration.cuda_keywords.front(),
                         source.constinit_keyword() + " ");
  if (declaration.is_template) return;
  if (has_value) keep_library_functions_from_value(source, declaration, own);
  bool in_value = false;
  std::size_t parts = 0; // of the type and the name
  for (std::size_t i = declaration.begin; i < declaration.end; i = next_token(source, i)) {
    if (source.is_any(i, {"=", "{", "("})) in_value = true;
    if (source.is(i, ",")) in_value = false;
    parts += behind_class(source, i) != i;
    if (in_value || !source.is_name(i)) continue;
    ++parts;
    // A type of one word, such as int, has no constructor, and neither has a pointer.
    if (parts < 2 || !source.is_any(i + 1, {"[", "=", ";", ",", "{", "("}) || source.is(i - 1, "*")) continue;
    const std::string name(source.spelling(i)), type = "decltype(" + name + ")";
    if (!has_value)
      source.insert_behind(declaration.end, assertion_of_no_constructor(source, type, i));
    else if (!has_specifier(source, declaration, {"const", "constexpr", "constinit"}) &&
             declaration.scope == Scope::namespace_scope)
      source.insert_behind(
          declaration.end,
          source.assertion("::simt::has_default_constructor<" + type + ">", i,
                           "the class of " + name +
                               " has no default constructor, with which nvcc makes the host's copy of "
                               "each variable in device memory; give it one, or write constexpr"));
    source.insert_behind(declaration.end, assertion_of_no_destructor(source, type, i));
  }
}

/// What excludes each other among a variable's specifiers.
void check_specifiers(Source& source, const Declaration& declaration) {
  const bool is_managed = declaration.has(source, "__managed__");
  for (std::size_t i = declaration.begin; i < declaration.end; i = next_token(source, i)) {
    if (source.is_any(i, {"=", "{", "("})) break;
    if (source.is_any(i, {"thread_local", "__thread"}))
      source.error(
          i,
          "device memory has no variables of host threads; leave thread_local out, or index an array by the "
          "thread");
  }
  if (is_managed && has_specifier(source, declaration, {"&"}))
    source.error(declaration.cuda_keywords.front(), "a __managed__ variable cannot be a reference, which has "
                                                    "no memory that both sides could share; write a "
                                                    "pointer");
  if (is_managed && declaration.has(source, "__constant__"))
    source.error(declaration.cuda_keywords.front(), "a variable is __managed__ or __constant__, not both: "
                                                    "the host writes managed memory, and constant memory "
                                                    "by cudaMemcpyToSymbol alone; write one of them");
  else if (is_managed &&
           (!inspect(source, declaration).constants.empty() || inspect(source, declaration).is_compile_time))
    source.error(declaration.cuda_keywords.front(),
                 "a __managed__ variable cannot be const; write __constant__ for what never changes");
}

/// The parameters of a template: as another template takes them, without their defaults, and as arguments.
struct Parameters {
  std::string list, arguments; ///< "class T, int... N" and "T, N..."
  std::size_t hidden = none;   ///< one whose name stands within its type, as in `int (*f)(int)`
};

/// Gives a name to those that have none.
Parameters name_parameters(Source& source, std::size_t open) {
  Parameters result;
  const std::size_t close = source.closing_angle(open);
  const auto next = [&](std::size_t i) {
    return source.is(i, "<") && source.closing_angle(i) != none ? source.closing_angle(i) + 1
                                                                : source.behind(i);
  };
  for (std::size_t begin = open + 1; begin < close;) {
    std::size_t end = begin;
    bool is_pack = false, has_parentheses = false;
    for (; end < close && !source.is_any(end, {",", "="}); end = next(end)) {
      is_pack |= source.is(end, "...");
      has_parentheses |= source.is(end, "(");
    }
    const bool has_name = end - begin > 1 && source.is_name(end - 1) && !source.is(end - 2, "::");
    if (!has_name && has_parentheses) result.hidden = begin;
    const std::string name = has_name ? std::string(source.spelling(end - 1))
                                      : concatenate({"simt_parameter_", std::to_string(begin)});
    if (!has_name) source.insert_behind(end - 1, " " + name);
    const std::string_view comma = result.list.empty() ? "" : ", ";
    result.list += concatenate({comma, source.flat(begin, has_name ? end - 1 : end), " ", name});
    result.arguments += concatenate({comma, name, is_pack ? "..." : ""});
    while (end < close && !source.is(end, ",")) end = next(end);
    begin = end + 1;
  }
  return result;
}

/// The name of the variable that a template declares; `none` where simtcc finds none.
std::size_t name_in_template(const Source& source, const Declaration& declaration) {
  for (std::size_t i = declaration.specifiers; i < declaration.end; ++i) {
    if (const std::size_t behind = source.behind_attribute(i); behind != i) {
      i = behind - 1;
      continue;
    }
    const bool has_arguments = source.is(i + 1, "<") && source.closing_angle(i + 1) != none;
    const std::size_t next = has_arguments ? source.closing_angle(i + 1) + 1 : i + 1;
    if (i > declaration.specifiers && source.is_name(i) &&
        (follows_type(source, i) || source.is(i - 1, "::")) && source.is_any(next, {"=", "{", "[", ";", "("}))
      return i;
    if (source.is(i, "(") && source.is(i + 1, "*") && source.is_name(i + 2) && source.match(i) == i + 3)
      return i + 2;
    if (source.is_any(i, {"=", "{", "[", "("})) return none;
    i = next - 1;
  }
  return none;
}

/// A template of variables in device memory. Compilers heed no section for what they make of a template, so each of its
/// instances tells the simulator where it lies: its alignment needs the address of an object whose constructor does so.
void rewrite_template(Source& source, const Declaration& declaration, const FunctionNames& own,
                      const Variable& variable) {
  const std::size_t name = name_in_template(source, declaration);
  if (name == none)
    return source.error(declaration.begin,
                        "simtcc finds no name in this variable template; give its type a name with "
                        "using, and write template <class T> __device__ type<T> name;");
  if (source.is(name - 1, "::"))
    return source.error(declaration.begin,
                        "a variable in device memory cannot be a member of a class; move it out "
                        "to namespace scope");
  if (has_specifier(source, declaration, {"&", "extern"}))
    return source.error(declaration.begin,
                        concatenate({"the variable template ", source.spelling(name),
                                     has_specifier(source, declaration, {"&"})
                                         ? " is of references; write pointers, or one reference for each type"
                                         : " is declared extern; define it where it is declared first"}));
  const Parameters parameters = name_parameters(source, declaration.begin + 1);
  if (parameters.hidden != none)
    return source.error(parameters.hidden,
                        concatenate({"simtcc finds no name for this parameter of the variable template ",
                                     source.spelling(name), "; give its type a name with using"}));
  const std::size_t behind =
      source.is(name + 1, "<") ? source.closing_angle(name + 1) + 1 : name + 1; // of a partial specialisation
  const bool has_value = has_initial_value(source, declaration);
  const bool is_array = source.is(behind, "[");
  const bool is_constant = !variable.constants.empty();
  if (has_value) keep_library_functions_from_value(source, declaration, own);
  if (is_array || has_specifier(source, declaration, {"*"}))
    for (const std::size_t i : variable.constants) source.erase(i); // the host may write them
  if (variable.inline_keyword != none) source.erase(variable.inline_keyword);

  const std::string home = concatenate({"simt_home_", source.spelling(name), "_", std::to_string(name)}),
                    instance = concatenate({home, "<", parameters.arguments, ">"}),
                    head = concatenate({"template <", parameters.list, "> "}),
                    object = behind == name + 1
                                 ? concatenate({source.spelling(name), "<", parameters.arguments, ">"})
                                 : source.flat(name, behind);
  const std::string type = "decltype(" + object + ")";
  source.insert_before(declaration.begin, concatenate({"namespace { ", head, "struct ", home, " { ", home,
                                                       "(); static ", home, " it; }; } "}));
  source.insert_before(
      declaration.specifiers,
      concatenate({"alignas(::simt::alignment_of_instance<&", instance, "::it>) ",
                   has_specifier(source, declaration, {"static"}) ? "" : "static ",
                   has_value && !has_specifier(source, declaration, {"constexpr", "constinit"}) &&
                           !declares_function_pointer(source, declaration)
                       ? source.constinit_keyword() + " "
                       : ""}));
  const std::string_view kind = declaration.has(source, "__constant__")  ? "1"
                                : declaration.has(source, "__managed__") ? "2"
                                                                         : "0";
  source.insert_behind(
      declaration.end,
      concatenate({" namespace { ", head, instance, "::", home, "() {",
                   has_value ? "" : assertion_of_no_constructor(source, type, name),
                   assertion_of_no_destructor(source, type, name), " ::simt::register_instance(", kind, ", ",
                   object, is_constant ? ", true" : "", "); } ", head, instance, " ", instance, "::it; }"}));
}

/// `in_inline`: it stands in a function that several files may define.
void rewrite(Source& source, const Declaration& declaration, const FunctionNames& own,
             bool in_inline = false) {
  const Variable variable = inspect(source, declaration);
  check_specifiers(source, declaration);
  if (declaration.scope == Scope::class_scope && !variable.is_compile_time)
    source.error(declaration.begin, "a variable in device memory cannot be a member of a class; move it out "
                                    "to namespace scope");
  for (const std::size_t i : variable.keywords) source.erase(i);
  if (declaration.is_instantiation) return; // what it makes an instance of says where it lies
  if (declaration.is_template && declaration.scope == Scope::namespace_scope && !variable.is_compile_time)
    return rewrite_template(source, declaration, own, variable);
  if (variable.is_defined) require_constant_value(source, declaration, own);
  // A reference is a constant for the compiler, which reads no memory for it.
  if (variable.is_compile_time || has_specifier(source, declaration, {"&"})) return;
  // Constants are not instrumented by compilers, and cannot share a section with variables.
  for (const std::size_t i : variable.constants) source.erase(i);
  std::string section = declaration.has(source, "__constant__")  ? "simt_constant"
                        : declaration.has(source, "__managed__") ? "simt_managed"
                                                                 : "simt_device";
  // g++ refuses one section for inline variables and others. A device variable is its file's own anyway;
  // only a member must stay inline.
  const bool is_inline = variable.inline_keyword != none;
  if (in_inline || (is_inline && variable.has_linkage))
    section += "_inline";
  else if (is_inline)
    source.erase(variable.inline_keyword);
  const bool make_static = (is_inline || !variable.constants.empty()) && !variable.has_linkage;
  // `used`: a variable that this file never writes would otherwise be taken for a constant.
  source.insert_before(variable.keywords.empty() ? declaration.begin : variable.keywords.front(),
                       concatenate({make_static ? "static " : "", "__attribute__((section(\"", section, "\")",
                                    variable.is_defined ? ", used))" : "))"}));
}

/// Tells the simulator what elements the variables of a declaration at namespace scope have.
void describe(Source& source, const Declaration& declaration) {
  if (declaration.scope != Scope::namespace_scope || declaration.is_template ||
      !inspect(source, declaration).is_defined || inspect(source, declaration).is_compile_time)
    return;
  const bool is_constant = !inspect(source, declaration).constants.empty();
  bool in_value = false;
  for (std::size_t i = declaration.begin; i < declaration.end; i = source.behind(i)) {
    if (!in_value) i = behind_class(source, i);
    if (!in_value && source.is(i, "<") && source.closing_angle(i) != none) i = source.closing_angle(i);
    if (source.is_any(i, {"=", "{"})) in_value = true;
    if (source.is(i, ",")) in_value = false;
    if (in_value || !source.is_name(i) || !source.is_any(i + 1, {"[", "=", ";", ",", "{"})) continue;
    const std::string_view name = source.spelling(i);
    source.insert_behind(declaration.end, concatenate({" [[maybe_unused]] static const ::simt::VariableShape "
                                                       "simt_shape_",
                                                       name, "(", name, is_constant ? ", true);" : ");"}));
  }
}

bool is_variable_keyword(const Source& source, std::size_t i) {
  return source.is_any(i, {"__device__", "__constant__", "__managed__"});
}

/// Whether the keyword at i belongs to a lambda: `[=] __device__ (int i) { ... }`.
bool is_on_lambda(const Source& source, std::size_t i) {
  while (i > 0 && source.is_any(i - 1, {"__device__", "__host__"})) --i;
  if (i == 0 || !source.is_any(i - 1, {"]", ")"})) return false;
  const std::size_t open = source.match(i - 1);
  const bool is_attribute = open != none && (source.behind_attribute(open) == i ||
                                             (open > 0 && source.behind_attribute(open - 1) == i));
  return !is_attribute;
}

bool is_inline(const Source& source, const Body& body) {
  if (!body.function) return false;
  if (body.function->scope != Scope::namespace_scope) return true;
  for (std::size_t i = body.function->begin; i < body.function->parameters; ++i)
    if (source.is_any(i, {"inline", "__inline__", "__inline", "__forceinline__", "constexpr", "consteval"}))
      return true;
  return false;
}

/// A static variable of device code is one in device memory. Of templates it has no section that the compiler would heed.
void rewrite_static_variables(Source& source, const Body& body, const FunctionNames& own) {
  const bool is_template = body.function && body.function->is_template;
  for (std::size_t i = body.open; i < body.close; ++i) {
    if (!source.is(i, "static")) continue;
    const Declaration local = read_local_declaration(source, source.declaration_begin(i));
    if (local.is_function || local.end == none || !local.cuda_keywords.empty()) continue;
    if (body.on_host || is_template)
      require_constant_value(source, local, own);
    else
      rewrite(source, local, own, is_inline(source, body));
  }
}

/// Has the compiler add up the arrays in constant memory.
void check_constant_memory(Source& source, const std::vector<Declaration>& declarations) {
  std::string sum;
  std::size_t last = none, last_end = none;
  for (const Declaration& declaration : declarations) {
    if (!declaration.has(source, "__constant__") || declaration.is_function || declaration.is_template ||
        declaration.scope != Scope::namespace_scope || source.is_shim(declaration.begin) ||
        declaration.end == none || !inspect(source, declaration).is_defined)
      continue;
    for (std::size_t i = declaration.begin; i < declaration.end; i = next_token(source, i)) {
      if (source.is_any(i, {"=", "{"})) break;
      if (!source.is_name(i) || !source.is(i + 1, "[")) continue;
      sum += concatenate({sum.empty() ? "sizeof(" : " + sizeof(", declaration.owner.empty() ? "" : "::",
                          declaration.owner, "::", source.spelling(i), ")"});
      last = i;
      last_end = declaration.end;
    }
  }
  if (last != none)
    source.insert_behind(
        last_end, source.assertion(sum + " <= 65536", last,
                                   concatenate({"with ", source.spelling(last),
                                                " the __constant__ variables of this file take more than "
                                                "64 KiB, which is all that constant memory has; write "
                                                "__device__ for the larger ones"})));
}

} // namespace

namespace {

/// Whether the variable that is declared at token i is a member of a class in a function, and not static.
bool is_member_of_local_class(const Source& source, std::size_t i) {
  const std::size_t brace = brace_around(source, i, 0);
  if (brace == none || class_of_body(source, brace) == none || brace_around(source, brace, 0) == none)
    return false;
  return !source.is(i - 1, "static") && !source.is(i + 1, "static");
}

} // namespace

void drop_memory_spaces(Source& source) {
  for (std::size_t i = 1; i < source.size(); ++i) {
    if (!is_variable_keyword(source, i) && !source.is(i, "__shared__")) continue;
    if (!source.is_own(i)) continue;
    const bool is_typedef = source.is(i - 1, "typedef");
    bool is_parameter = source.is_any(i - 1, {"(", ","});
    std::size_t open = i - 1;
    while (is_parameter && !source.is(open, "(")) {
      if (source.closes(open)) open = source.match(open);
      is_parameter = open > 0 && !source.is_any(open, {";", "{", "}", "["});
      --open;
    }
    is_parameter =
        is_parameter && open > 0 && !source.is_any(open - 1, {"for", "if", "while", "switch", "("});
    const bool is_member =
        !is_typedef && !is_parameter && source.is(i, "__shared__") && is_member_of_local_class(source, i);
    if (!is_typedef && !is_parameter && !is_member) continue;
    source.warning(i, concatenate({source.spelling(i), " means nothing before a ",
                                   is_typedef  ? "type"
                                   : is_member ? "member, which lies where its object lies"
                                               : "parameter",
                                   ", and is taken as not written; leave it out"}));
    source.erase(i);
  }
}

bool drop_memory_space_of_member(Source& source, const Declaration& member) {
  if (member.scope != Scope::class_scope || member.is_function || member.end == none) return false;
  for (std::size_t i = member.begin; i < member.end && !source.is_any(i, {"=", "{"}); ++i)
    if (source.is_any(i, {"static", "inline", "thread_local", "extern"})) return false;
  for (const std::size_t i : member.cuda_keywords) {
    source.warning(
        i, concatenate({source.spelling(i), " means nothing before a member, which lies where its object "
                                            "lies, and is taken as not written; leave it out"}));
    source.erase(i);
  }
  return true;
}

void rewrite_device_variables(Source& source, const std::vector<Declaration>& declarations,
                              const std::vector<Body>& bodies) {
  const FunctionNames own = names_of_functions(source, declarations);
  for (const Declaration& declaration : declarations) {
    const bool on_variable = declaration.has(source, "__device__") ||
                             declaration.has(source, "__constant__") ||
                             declaration.has(source, "__managed__");
    if (!on_variable || declaration.has(source, "__shared__") ||
        source.is_edited(declaration.cuda_keywords.front()) ||
        is_on_lambda(source, declaration.cuda_keywords.front()))
      continue;
    if (!declaration.is_function) {
      if (drop_memory_space_of_member(source, declaration)) continue;
      rewrite(source, declaration, own);
      if (!declaration.has(source, "__managed__")) describe(source, declaration);
    } else if (declaration.has(source, "__constant__")) {
      source.error(declaration.cuda_keywords.front(),
                   "__constant__ belongs to a variable; for a function of the device write __device__");
    }
  }
  check_constant_memory(source, declarations);
  for (const Body& body : bodies) {
    if (body.on_device && !source.is_shim(body.open)) rewrite_static_variables(source, body, own);
    for (std::size_t i = body.open; i < body.close; ++i) {
      if (!is_variable_keyword(source, i) || source.is_edited(i) || is_on_lambda(source, i)) continue;
      const Declaration local = read_local_declaration(source, source.declaration_begin(i));
      if (local.is_function || local.cuda_keywords.empty() || local.end == none) continue;
      if (inspect(source, local).has_storage)
        rewrite(source, local, own, is_inline(source, body));
      else
        source.error(
            i, concatenate({source.spelling(i), " on a variable in a function needs static; write static ",
                            source.spelling(i), ", or leave it out for a variable of the thread's own"}));
    }
  }
}

} // namespace simt::compiler
