#include "simt/translate/sides.hpp"

#include "simt/translate/declared_functions.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace simt::compiler {
namespace {

constexpr std::string_view mark_begin = "simt side: ";

constexpr std::pair<MarkKind, std::string_view> mark_kinds[] = {
    {MarkKind::host_function, "host-function"},
    {MarkKind::host_virtual_destructor, "host-virtual-destructor"},
    {MarkKind::device_function, "device-function"},
    {MarkKind::host_variable, "host-variable"},
    {MarkKind::host_array, "host-array"},
    {MarkKind::host_constant_array, "host-constant-array"},
    {MarkKind::host_constant, "host-constant"},
    {MarkKind::library_function, "library-function"},
    {MarkKind::constant, "constant"},
};

/// Functions of the C library that CUDA has on the device too: a program that declares them itself means those.
bool is_device_library_function(std::string_view name) {
  static const std::set<std::string_view> names = {"printf", "malloc", "free",  "memcpy", "memset",
                                                   "abs",    "labs",   "llabs", "clock",  "assert"};
  return names.contains(name) || is_mathematical_function(name);
}

/// Functions of the C library that the device does not have, as nvcc 13.0 says, but for those that C++ overloads.
bool is_host_library_function(std::string_view name) {
  static const std::set<std::string_view> names = {
      "abort",          "aligned_alloc", "atexit",        "atof",     "atoi",      "atol",       "atoll",
      "bsearch",        "calloc",        "clock_gettime", "difftime", "drand48",   "exit",       "fclose",
      "fflush",         "fgetc",         "fgets",         "fopen",    "fprintf",   "fputc",      "fputs",
      "fread",          "fscanf",        "fseek",         "ftell",    "fwrite",    "getc",       "getchar",
      "getenv",         "getpid",        "gettimeofday",  "gmtime",   "isalnum",   "isalpha",    "isdigit",
      "islower",        "isprint",       "ispunct",       "isspace",  "isupper",   "isxdigit",   "localtime",
      "lrand48",        "memcmp",        "memmove",       "mktime",   "mrand48",   "nanosleep",  "perror",
      "posix_memalign", "putc",          "putchar",       "puts",     "qsort",     "quick_exit", "rand",
      "rand_r",         "random",        "realloc",       "remove",   "rename",    "rewind",     "scanf",
      "setbuf",         "setvbuf",       "sleep",         "snprintf", "sprintf",   "srand",      "srand48",
      "srandom",        "sscanf",        "strcat",        "strcmp",   "strcoll",   "strcpy",     "strcspn",
      "strdup",         "strerror",      "strftime",      "strlen",   "strncat",   "strncmp",    "strncpy",
      "strnlen",        "strspn",        "strtod",        "strtof",   "strtok",    "strtol",     "strtoll",
      "strtoul",        "strtoull",      "strxfrm",       "system",   "time",      "tmpfile",    "tolower",
      "toupper",        "ungetc",        "usleep",        "vfprintf", "vsnprintf", "vsprintf"};
  return names.contains(name);
}

bool is_shared_by_both(const Source& source, const Declaration& function) {
  return function.is_constexpr(source) ||
         (function.end != none && source.is_any(function.end - 1, {"default", "delete"}));
}

bool mentions_between(const Source& source, std::size_t begin, std::size_t end, std::string_view word) {
  for (std::size_t i = begin; i < end; ++i)
    if (source.is(i, word)) return true;
  return false;
}

/// Constructors, destructors, conversions, operators, and what a `for` over a range calls: they are called without their
/// names.
bool is_called_without_name(const Source& source, const Declaration& function) {
  const std::string_view name = source.spelling(function.name);
  if (source.is(function.name, "operator") || source.is(function.name - 1, "~") ||
      source.is_any(function.name, {"begin", "end", "get"}))
    return true;
  return function.scope == Scope::class_scope &&
         name == std::string_view(function.owner).substr(function.owner.rfind(':') + 1); // npos + 1 is 0
}

bool is_qualified(const Source& source, const Declaration& function) {
  return source.is(function.name - (source.is(function.name - 1, "~") ? 2 : 1), "::");
}

/// Where the value of a variable begins, or else its declaration ends.
std::size_t value_begin(const Source& source, const Declaration& declaration) {
  std::size_t i = declaration.begin;
  while (i < declaration.end) {
    if (const std::size_t behind = source.behind_attribute(i); behind != i) {
      i = behind;
    } else if (source.is(i, "(") && source.is_any(i + 1, {"*", "&"})) { // (*name)(parameters), (&name)[4]
      i = source.behind(i);
      if (source.is(i, "(")) i = source.behind(i);
    } else if (source.is(i, "(") && source.is_name(i + 1) &&
               source.is(i + 2, "::")) { // (S::*name)(parameters)
      i = source.behind(i);
      if (source.is(i, "(")) i = source.behind(i);
    } else if (source.is_any(i, {"=", "{"}) || (source.is(i, "(") && !source.is(i - 1, "decltype"))) {
      return i;
    } else if (source.is(i, "<") && source.closing_angle(i) != none) {
      i = source.closing_angle(i) + 1;
    } else {
      i = source.behind(i);
    }
  }
  return declaration.end;
}

bool is_number_type(const Source& source, std::size_t i) {
  return source.is_any(i, {"int", "unsigned", "signed", "long", "short", "char", "bool", "float", "double",
                           "size_t", "int32_t", "uint32_t", "int64_t", "uint64_t"});
}

/// Values of variables in device memory that may be addresses.
std::vector<DeviceValue> find_device_values(const Source& source,
                                            const std::vector<Declaration>& declarations) {
  std::vector<DeviceValue> values;
  for (const Declaration& declaration : declarations) {
    if (declaration.is_function || declaration.is_template || declaration.cuda_keywords.empty() ||
        declaration.end == none || declaration.has(source, "__shared__") ||
        !source.is_own(declaration.begin) ||
        source.is_any(declaration.begin, {"struct", "class", "union", "enum", "typedef", "using"}))
      continue;
    const std::size_t begin = value_begin(source, declaration);
    bool is_number = false, is_indirect = false;
    for (std::size_t i = declaration.begin; i < begin; ++i) {
      is_number |= is_number_type(source, i);
      is_indirect |= source.is_any(i, {"*", "&", "<", "("});
    }
    if (begin < declaration.end && (is_indirect || !is_number)) values.push_back({begin, declaration.end});
  }
  return values;
}

/// Marks the functions and variables of one file.
class Marking {
public:
  Marking(Source& source, const AllBodies& all)
      : source_(source), all_(all), functions_(source, all.declarations) {
    for (const Body& body : all.bodies) {
      if (source.is_shim(body.open)) continue;
      has_device_code_ |= body.on_device;
      if (body.on_device) add_names(body.open, body.close, names_on_both_);
      if (body.on_device && !body.on_host) add_names(body.function->parameters, body.close, names_on_device_);
      if (body.on_host) add_names(body.function->parameters, body.close, names_on_host_);
    }
    for (const DeviceLambda& lambda : all.lambdas) {
      has_device_code_ = true;
      add_names(lambda.open, lambda.close, names_on_device_);
      add_names(lambda.open, lambda.close, names_on_both_);
    }
    for (const Declaration& declaration : all.declarations)
      if (!declaration.is_function && !declaration.cuda_keywords.empty())
        add_names(declaration.begin, value_begin(source, declaration), device_variables_);
    for (const DeviceValue& value : all.values) {
      has_device_code_ = true;
      add_names(value.begin, value.end, names_on_device_);
      add_names(value.begin, value.end, names_on_both_);
    }
  }

  bool run() {
    for (const Declaration& declaration : all_.declarations)
      if (declaration.has(source_, "__constant__") && source_.is_own(declaration.begin))
        constant(declaration);
    for (const Body& body : all_.bodies)
      for (std::size_t i = body.open; i < body.close && source_.is_own(body.open); ++i)
        if (source_.is(i, "__constant__"))
          constant(read_local_declaration(source_, source_.declaration_begin(i)));
    if (!has_device_code_) return has_marks_;
    for (const Declaration& declaration : all_.declarations)
      if (declaration.is_function && declaration.name != none && declaration.scope == Scope::namespace_scope)
        own_functions_.insert(source_.spelling(declaration.name));
    for (const Declaration& declaration : all_.declarations) {
      if (!source_.is_own(declaration.begin) || declaration.is_instantiation ||
          declaration.specifiers == none)
        continue;
      declaration.is_function ? function(declaration) : variable(declaration);
    }
    for (const std::string_view name : names_on_device_)
      if (is_host_library_function(name) && !own_functions_.contains(name) && is_declared_by_library(name))
        library_function(name);
    return has_marks_;
  }

private:
  using Names = std::set<std::string_view>;

  void add_names(std::size_t begin, std::size_t end, Names& names) const {
    for (std::size_t i = begin; i < end; ++i)
      if (source_.is_name(i)) names.insert(source_.spelling(i));
  }

  void function(const Declaration& declaration) {
    if (declaration.name == none || declaration.has(source_, "__global__") ||
        is_shared_by_both(source_, declaration))
      return;
    const bool is_friend = mentions_between(source_, declaration.begin, declaration.name, "friend");
    const bool is_guide =
        declaration.scope == Scope::namespace_scope && declaration.specifiers == declaration.name;
    if ((is_friend && declaration.body == none) || is_guide || is_qualified(source_, declaration) ||
        is_object(declaration))
      return;
    const bool on_device = functions_.is_on_device(declaration), on_host = functions_.is_on_host(declaration);
    if (on_device == on_host) return;
    const Names& names = on_device ? names_on_host_ : names_on_device_;
    const std::string_view name = source_.spelling(declaration.name);
    const std::string_view owner =
        std::string_view(declaration.owner).substr(declaration.owner.rfind(':') + 1);
    const bool may_be_meant =
        is_called_without_name(source_, declaration) &&
        (!on_device || declaration.scope != Scope::class_scope || names.contains(owner)); // npos + 1 is 0
    if (!may_be_meant && !names.contains(name)) return;
    if (declaration.scope == Scope::namespace_scope && declaration.owner.empty() &&
        declaration.body == none && is_device_library_function(name))
      return;
    const bool is_virtual_destructor =
        source_.is(declaration.name - 1, "~") &&
        (mentions_between(source_, declaration.begin, declaration.name, "virtual") ||
         mentions_between(source_, source_.match(declaration.parameters), declaration.end, "override"));
    mark(declaration, {on_device               ? MarkKind::device_function
                       : is_virtual_destructor ? MarkKind::host_virtual_destructor
                                               : MarkKind::host_function,
                       functions_.name_of(declaration)});
  }

  /// Whether a header of the system has a line such as "extern int rand (void) noexcept (true);".
  bool is_declared_by_library(std::string_view name) const {
    const std::string_view text = source_.stream().text;
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const std::size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
      const std::string_view before = text.substr(line, at - line), behind = text.substr(at + name.size(), 2);
      if (before.starts_with("extern ") && (before.ends_with(' ') || before.ends_with('*')) &&
          (behind.starts_with('(') || behind == " ("))
        return true;
    }
    return false;
  }

  /// Declares a function of the C library again, with a mark, before the first code of the device that may mean it.
  void library_function(std::string_view name) {
    for (const Body& body : all_.bodies) {
      if (!body.on_device || body.on_host || !source_.is_own(body.open) ||
          !mentions_between(source_, body.function->parameters, body.close, name))
        continue;
      source_.insert_before(
          outermost_begin(*body.function),
          concatenate({"extern \"C\" __typeof__(::", name, ") ", name, " ",
                       attribute_of({MarkKind::library_function, std::string(name)}), "; "}));
      has_marks_ = true;
      return;
    }
  }

  /// Where the declaration at the scope of the file begins that a function belongs to.
  std::size_t outermost_begin(const Declaration& function) const {
    std::size_t begin = function.begin;
    for (std::size_t i = function.begin; i-- > 0;) {
      if (source_.closes(i)) {
        i = source_.match(i);
      } else if (source_.is(i, "{")) { // of a namespace, a class or extern "C"
        begin = i;
        while (begin > 0 && !source_.is_any(begin - 1, {";", "{", "}"})) --begin;
        i = begin;
      }
    }
    return begin;
  }

  /// Variables at namespace scope and static members, but for constants, which device code may use by their values.
  void variable(const Declaration& declaration) {
    const bool in_class = declaration.scope == Scope::class_scope;
    if (declaration.scope == Scope::function_scope || !declaration.cuda_keywords.empty()) return;
    const std::size_t name = first_name(declaration);
    if (name == none || source_.is(name - 1, "::")) return;
    bool is_const = false, is_constexpr = false, is_volatile = false, is_static = false, is_indirect = false;
    for (std::size_t i = declaration.specifiers; i < name; ++i) {
      is_const |= source_.is(i, "const");
      is_constexpr |= source_.is_any(i, {"constexpr", "consteval"});
      is_volatile |= source_.is(i, "volatile");
      is_static |= source_.is(i, "static");
      is_indirect |= source_.is_any(i, {"*", "&", "&&"});
      if (source_.is(i, "<") && source_.closing_angle(i) != none) i = source_.closing_angle(i);
    }
    const bool is_array = source_.is(name + 1, "[");
    const bool is_constant = is_constexpr || (is_const && !is_volatile && !is_indirect);
    const bool is_lambda =
        source_.is(name + 1, "=") && source_.is(name + 2, "["); // a call of it reads no memory
    if ((in_class && !is_static) || is_lambda) return;
    if (is_constant && !is_array) {
      if (is_needed_in_memory(source_.spelling(name))) mark(declaration, {MarkKind::host_constant, {}});
      return;
    }
    bool is_mentioned = false;
    for (std::size_t i = name; i < declaration.end && i < source_.size(); i = source_.behind(i)) {
      const bool is_declared = i == name || source_.is_any(i - 1, {",", "*", "&"});
      if (!is_declared || !source_.is_name(i)) continue;
      if (device_variables_.contains(source_.spelling(i))) return;
      is_mentioned |= names_on_both_.contains(source_.spelling(i));
    }
    if (!is_mentioned) return;
    mark(declaration, {!is_array     ? MarkKind::host_variable
                       : is_constant ? MarkKind::host_constant_array
                                     : MarkKind::host_array,
                       {}});
  }

  /// nvcc refuses to assign to a variable in constant memory by its name if it is no array and no class, on either side.
  void constant(const Declaration& declaration) {
    if (declaration.is_function || declaration.specifiers == none) return;
    if (assigned_.empty())
      for (std::size_t i = 0; i < source_.size(); ++i)
        if (source_.is_name(i) && source_.is_own(i) && is_assigned(source_, i))
          assigned_.insert(source_.spelling(i));
    for (std::size_t i = declaration.specifiers; i < declaration.end; i = source_.behind(i))
      if (source_.is_name(i) && source_.is_any(i + 1, {"=", ";", ",", "{"}) &&
          assigned_.contains(source_.spelling(i)) && is_scalar(declaration))
        return mark(declaration, {MarkKind::constant, {}});
  }

  /// Whether the type is a number, an enumeration or a pointer, as far as its name tells.
  bool is_scalar(const Declaration& declaration) const {
    std::size_t type = none;
    for (std::size_t i = declaration.specifiers; i < declaration.end; ++i) {
      if (const std::size_t behind = source_.behind_attribute(i); behind != i) {
        i = behind - 1;
        continue;
      }
      if (source_.is(i, "*")) return true;
      if (source_.is_any(i, {"<", "(", "&", "struct", "class", "union", "auto", "decltype"})) return false;
      if (source_.is_any(i + 1, {"[", "=", ";", ",", "{"})) break; // the name
      if (source_.is_name(i)) type = i;
    }
    if (type == none) return true;
    std::string_view name = source_.spelling(type);
    for (int aliases = 0; aliases < 8; ++aliases) {
      if (is_class(name)) return false;
      const std::size_t alias = aliased_by(name);
      if (alias == none) return true;
      if (source_.is_any(alias, {">", "*"})) return source_.is(alias, "*");
      name = source_.spelling(alias);
    }
    return false;
  }

  bool is_class(std::string_view name) const {
    for (std::size_t i = 1; i + 1 < source_.size(); ++i)
      if (source_.is(i, name) && source_.is_any(i - 1, {"struct", "class", "union", ")"}) &&
          source_.is_any(i + 1, {"{", ":", "final", ";"}) && !source_.is(i - 2, "enum") &&
          (!source_.is(i - 1, ")") || source_.is_any(i + 1, {"{", ":"})))
        return true;
    return false;
  }

  /// The last token of the type that `typedef TYPE name;` or `using name = TYPE;` gives a name; `none` without one.
  std::size_t aliased_by(std::string_view name) const {
    for (std::size_t i = 1; i + 1 < source_.size(); ++i) {
      if (!source_.is(i, name)) continue;
      if (source_.is(i - 1, "using") && source_.is(i + 1, "=")) {
        while (i < source_.size() && !source_.is(i, ";")) ++i;
        return i - 1;
      }
      if (!source_.is(i + 1, ";")) continue;
      std::size_t begin = i;
      while (begin > 0 && !source_.is_any(begin - 1, {";", "{", "}"})) --begin;
      if (source_.is(begin, "typedef")) return i - 1;
    }
    return none;
  }

  bool is_needed_in_memory(std::string_view name) const {
    if (!names_on_both_.contains(name)) return false;
    const auto is_needed_between = [&](std::size_t open, std::size_t close) {
      for (std::size_t i = open; i < close; ++i)
        if (source_.is(i, name) && compiler::is_needed_in_memory(source_, all_.declarations, i)) return true;
      return false;
    };
    return std::ranges::any_of(all_.bodies,
                               [&](const Body& body) {
                                 return body.on_device && source_.is_own(body.open) &&
                                        is_needed_between(body.open, body.close);
                               }) ||
           std::ranges::any_of(
               all_.values,
               [&](const DeviceValue& value) { return is_needed_between(value.begin, value.end); }) ||
           std::ranges::any_of(all_.lambdas, [&](const DeviceLambda& lambda) {
             return is_needed_between(lambda.open, lambda.close);
           });
  }

  /// Where the name of the first variable stands that is declared; `none` where something else is declared.
  std::size_t first_name(const Declaration& declaration) const {
    std::size_t name = none;
    for (std::size_t i = declaration.specifiers; i < declaration.end;) {
      if (const std::size_t behind = source_.behind_attribute(i); behind != i) {
        i = behind;
      } else if (source_.is_any(i, {"typedef", "using", "struct", "class", "union", "enum", "namespace",
                                    "template", "operator", "friend", "static_assert", "concept", "asm",
                                    "__asm__", "(", "public", "private", "protected"})) {
        return none;
      } else if (source_.is(i, "<") && source_.closing_angle(i) != none) {
        i = source_.closing_angle(i) + 1;
      } else if (source_.is_any(i, {"[", "=", "{", ";", ",", ":"})) {
        break;
      } else {
        if (source_.is_name(i)) name = i;
        ++i;
      }
    }
    return name != none && name > declaration.specifiers ? name : none; // the name of a type stands before it
  }

  /// `const T name(other);`, which looks like a function's declaration.
  bool is_object(const Declaration& declaration) const {
    if (declaration.body != none || declaration.scope != Scope::namespace_scope) return false;
    const std::size_t open = declaration.parameters, close = source_.match(open);
    return close == open + 2 && mentions_between(source_, declaration.begin, declaration.name, "const");
  }

  void mark(const Declaration& declaration, const Mark& mark) {
    source_.insert_before(declaration.specifiers, attribute_of(mark) + " ");
    erase_other_attributes(declaration.begin, declaration.body == none ? declaration.end : declaration.body);
    has_marks_ = true;
  }

  /// Of several such attributes a compiler tells one.
  void erase_other_attributes(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!source_.is_any(i, {"deprecated", "__deprecated__"}) || source_.is_edited(i)) continue;
      std::size_t first = i;
      if (source_.is(first - 1, "::")) first -= 2;
      if (!source_.is_any(first - 1, {"[", "(", ",", ":"})) continue;
      source_.erase(first, source_.is(i + 1, "(") ? source_.behind(i + 1) : i + 1);
    }
  }

  Source& source_;
  const AllBodies& all_;
  FunctionsByName functions_;
  Names names_on_device_, names_on_host_;
  Names own_functions_;
  Names names_on_both_;    ///< in code that runs on the device, and perhaps on the host too
  Names assigned_;         ///< to which something is assigned somewhere
  Names device_variables_; ///< and all that their declarations mention before the value
  bool has_device_code_ = false;
  bool has_marks_ = false;
};

} // namespace

namespace {

/// Whether the argument number `position` of all the program's functions of this name is taken by reference.
bool is_taken_by_reference(const Source& source, const std::vector<Declaration>& declarations,
                           std::string_view name, std::size_t position) {
  bool is_known = false;
  for (const Declaration& function : declarations) {
    if (!function.is_function || function.name == none || !source.is(function.name, name)) continue;
    const std::vector<std::string> types = parameter_types(source, function);
    if (!source.is_own(function.begin) || position >= types.size() || !types[position].ends_with('&'))
      return false;
    is_known = true;
  }
  return is_known;
}

/// Whether an argument of the call whose parenthesis is token `open` is surely no constant: it reads memory or an index of
/// the thread, or is a parameter of the function around. A constexpr function of constants alone is a constant itself.
bool has_value_of_run_time(const Source& source, const std::vector<Declaration>& declarations,
                           std::size_t open) {
  const auto is_parameter = [&](std::string_view name) {
    return std::ranges::any_of(declarations, [&](const Declaration& function) {
      return function.body != none && function.body < open && open < function.end &&
             source.mentions(function.parameters, source.match(function.parameters), name);
    });
  };
  for (std::size_t i = open + 1; i < source.match(open); ++i)
    if (source.is_any(i, {"threadIdx", "blockIdx", "[", "->"}) ||
        (source.is(i, "*") && source.is_any(i - 1, {"(", ","})) ||
        (source.is_name(i) && !source.is(i - 1, "::") && is_parameter(source.spelling(i))))
      return true;
  return false;
}

} // namespace

bool is_needed_in_memory(const Source& source, const std::vector<Declaration>& declarations, std::size_t i) {
  std::size_t begin = i;
  while (source.is(begin - 1, "::") && source.is_name(begin - 2)) begin -= 2;
  const std::size_t before = begin - 1;
  if (source.is(before, "&"))
    return !source.is_name(before - 1) &&
           !source.is_any(before - 1, {")", "]", ">", "auto", "int", "float", "double"}) &&
           source.kind(before - 1) != TokenKind::number && !source.is_any(i + 1, {"(", "[", ".", "->"});
  if (source.is(before, "=") && source.is(i + 1, ";"))
    return source.is_name(before - 1) && source.is(before - 2, "&") &&
           (source.is_name(before - 3) ||
            source.is_any(before - 3, {"auto", "int", "float", "double", "const", "char", "bool", "unsigned",
                                       "long", "short", ">"}));
  if (!source.is_any(before, {"(", ","}) || !source.is_any(i + 1, {",", ")"})) return false;
  std::size_t open = before, position = 0;
  for (; open > 0 && !source.is_any(open, {"(", "{", "[", ";"}); --open) {
    if (source.closes(open))
      open = source.match(open);
    else if (source.is(open, ","))
      ++position;
    else if (source.is(open, ">"))
      return false; // a comma among template arguments, or a comparison
  }
  if (!source.is(open, "(") || !source.is_name(open - 1)) return false;
  if (source.is_any(open - 1, {"min", "max"}) && source.is(open - 2, "::") && source.is(open - 3, "std"))
    return has_value_of_run_time(source, declarations, open);
  return !source.is(open - 2, "::") && !source.is_name(open - 2) &&
         is_taken_by_reference(source, declarations, source.spelling(open - 1), position);
}

bool is_assigned(const Source& source, std::size_t i) {
  std::size_t begin = i, end = i + 1;
  if (source.is(end, "<") && source.closing_angle(end) != none)
    end = source.closing_angle(end) + 1; // of a template
  while (source.is(begin - 1, "::")) begin -= source.is_name(begin - 2) ? 2 : 1;
  if (source.is_any(begin - 1, {".", "->"})) return false;
  while (source.is(begin - 1, "(") && source.match(begin - 1) == end && !source.is_name(begin - 2) &&
         !source.is_any(begin - 2, {")", "]", ">"}))
    --begin, ++end;
  const auto is_count = [&](std::size_t k) { // signs of one character are tokens of their own
    return (source.is(k, "+") || source.is(k, "-")) && source.is(k + 1, source.spelling(k)) &&
           source.touches_previous(k + 1);
  };
  if (is_count(end)) return true;
  if (is_count(begin - 2) && !is_count(begin - 3)) return !source.is_any(end, {"[", ".", "->", "("});
  return !source.is_any(begin - 1, {"*", "&"}) && // what it points to
         (source.is_any(end, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}) ||
          (source.is(end, "<") && source.is(end + 1, "<=") && source.touches_previous(end + 1)) ||
          (source.is(end, ">") && source.is(end + 1, ">=") && source.touches_previous(end + 1)));
}

std::string attribute_of(const Mark& mark) {
  for (const auto& [kind, word] : mark_kinds)
    if (kind == mark.kind)
      return concatenate({"__attribute__((__deprecated__(\"", mark_begin, word, " ", mark.name, "\")))"});
  return {};
}

bool read_mark(std::string_view message, Mark& mark) {
  const std::size_t begin = message.find(mark_begin);
  if (begin == message.npos) return false;
  std::string_view rest = message.substr(begin + mark_begin.size());
  rest = rest.substr(0, rest.find(" [-W"));
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  for (const auto& [kind, word] : mark_kinds) {
    if (rest.substr(0, blank) != word) continue;
    mark.kind = kind;
    mark.name = rest.substr(std::min(blank + 1, rest.size()));
    while (mark.name.ends_with('\n') || mark.name.ends_with(' ')) mark.name.pop_back();
    return true;
  }
  return false;
}

FunctionsByName::FunctionsByName(const Source& source, const std::vector<Declaration>& declarations)
    : source_(source) {
  for (const Declaration& declaration : declarations)
    if (declaration.is_function && declaration.name != none)
      functions_[name_of(declaration)].push_back(&declaration);
}

std::string FunctionsByName::name_of(const Declaration& function) const {
  const std::string owner = DeclaredFunctions::owner_of(source_, function);
  std::string name(source_.spelling(function.name));
  if (source_.is(function.name, "operator"))
    for (std::size_t i = function.name + 1; i < function.parameters; ++i)
      name += concatenate({source_.is_identifier(i) ? " " : "", source_.spelling(i)});
  return concatenate({owner, owner.empty() ? "" : "::", source_.is(function.name - 1, "~") ? "~" : "", name});
}

bool FunctionsByName::any_other(const Declaration& function,
                                const std::function<bool(const Declaration&)>& holds) const {
  const auto found = functions_.find(name_of(function));
  if (found == functions_.end()) return false;
  const std::vector<std::string> types = parameter_types(source_, function);
  const auto is_loose = [&](const Declaration& one) {
    return one.is_template || one.is_specialization || is_qualified(source_, one);
  };
  for (const Declaration* other : found->second) {
    if (other->begin == function.begin || !holds(*other)) continue;
    const std::vector<std::string> others = parameter_types(source_, *other);
    const bool by_number = is_loose(function) || is_loose(*other);
    if (by_number ? others.size() == types.size() : others == types) return true;
  }
  return false;
}

bool FunctionsByName::is_on_device(const Declaration& function) const {
  const auto on_device = [&](const Declaration& one) {
    return one.has(source_, "__device__") || source_.is_shim(one.begin);
  };
  return on_device(function) || any_other(function, on_device);
}

bool FunctionsByName::is_on_host(const Declaration& function) const {
  const auto on_host = [&](const Declaration& one) { return one.has(source_, "__host__"); };
  return on_host(function) || any_other(function, on_host) || !is_on_device(function);
}

std::size_t body_of_lambda(const Source& source, std::size_t i) {
  std::size_t j = source.behind(i);
  if (source.is(j, "<") && source.closing_angle(j) != none) j = source.closing_angle(j) + 1;
  while (j < source.size() && !source.is(j, "{")) {
    if (source.is_any(j, {";", ",", ")", "]", "}", "="})) return none;
    j = source.behind(j);
  }
  return source.opens(j) ? j : none;
}

std::vector<DeviceLambda> find_device_lambdas(const Source& source) {
  std::vector<DeviceLambda> lambdas;
  for (std::size_t i = 1; i < source.size(); ++i) {
    if (!source.is(i, "__device__") || source.is_shim(i)) continue;
    std::size_t before = i - 1, j = i + 1;
    bool on_host = false;
    for (; source.is(before, "__host__"); --before) on_host = true;
    if (!source.is_any(before, {"]", ")"})) continue;
    for (; source.is(j, "__host__"); ++j) on_host = true;
    while (j < source.size() && !source.is_any(j, {"{", ";", "}", ",", ")"}))
      j = source.is(j, "(") ? source.behind(j) : j + 1;
    if (source.is(j, "{") && source.opens(j)) lambdas.push_back({j, source.match(j), on_host});
  }
  return lambdas;
}

AllBodies::AllBodies(const Source& source, const std::vector<Declaration>& outer) : declarations(outer) {
  lambdas = find_device_lambdas(source);
  for (std::size_t i = 0; i < declarations.size();
       ++i) { // classes in functions of classes in functions come along
    const std::size_t open = declarations[i].body;
    if (open == none || source.match(open) == none || !source.is_own(open)) continue;
    for (Declaration& member : find_local_members(source, open, source.match(open)))
      declarations.push_back(std::move(member));
  }
  bodies = find_bodies(source, declarations);
  values = find_device_values(source, declarations);
}

bool is_mathematical_function(std::string_view name) {
  static const std::set<std::string_view> mathematics = {
      "acos",     "acosh", "asin",   "asinh",   "atan",    "atan2",     "atanh",     "cbrt",  "ceil",
      "copysign", "cos",   "cosh",   "erf",     "erfc",    "exp",       "exp10",     "exp2",  "expm1",
      "fabs",     "fdim",  "floor",  "fma",     "fmax",    "fmin",      "fmod",      "frexp", "hypot",
      "ilogb",    "ldexp", "lgamma", "llrint",  "llround", "log",       "log10",     "log1p", "log2",
      "logb",     "lrint", "lround", "modf",    "nan",     "nearbyint", "nextafter", "pow",   "remainder",
      "remquo",   "rint",  "round",  "scalbln", "scalbn",  "sin",       "sincos",    "sinh",  "sqrt",
      "rsqrt",    "tan",   "tanh",   "tgamma",  "trunc"};
  if (name.ends_with('f') && mathematics.contains(name.substr(0, name.size() - 1))) return true;
  return mathematics.contains(name);
}

bool mark_sides(Source& source, const std::vector<Declaration>& declarations) {
  const AllBodies all(source, declarations);
  return Marking(source, all).run();
}

} // namespace simt::compiler
