#include "simt/translate/narrowing.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace simt::compiler {

bool is_vector_type(std::string_view name) {
  if (name.size() < 2 || name.back() < '1' || name.back() > '4') return false;
  name.remove_suffix(1);
  if (name == "float" || name == "double") return true;
  if (name.starts_with('u')) name.remove_prefix(1);
  return name == "char" || name == "short" || name == "int" || name == "long" || name == "longlong";
}

namespace {

bool is_name_of_number(std::string_view name) {
  for (const std::string_view number :
       {"int", "unsigned", "signed", "long", "short", "char", "bool", "float", "double"})
    if (name == number) return true;
  return false;
}

/// Whether the class whose body opens at `open` has neither constructors nor hidden members nor virtual functions.
bool is_aggregate_body(const Source& source, std::size_t open, std::string_view name) {
  for (std::size_t i = open + 1; i < source.match(open); i = source.behind(i))
    if (source.is_any(i, {"private", "protected", "virtual"}) ||
        (source.is(i, name) && source.is(i + 1, "(") && !source.is(i - 1, "~")))
      return false;
  return true;
}

/// Whether all classes of the program with this name are aggregates, and there is one.
bool is_aggregate(const Source& source, std::string_view name) {
  if (is_vector_type(name)) return true;
  bool is_known = false;
  for (std::size_t i = 1; i + 1 < source.size(); ++i) {
    if (!source.is(i, name) || !source.is_any(i - 1, {"struct", "class", "union"}) || source.is(i + 1, ";"))
      continue;
    if (source.is_any(i + 1, {":", "<", "final"})) return false; // of bases little is known
    if (!source.is(i + 1, "{")) continue;
    if (source.is(i - 1, "class") || source.match(i + 1) == none || !is_aggregate_body(source, i + 1, name))
      return false;
    is_known = true;
  }
  return is_known;
}

/// Whether a type such as "const P &" is that of a number or an aggregate.
bool is_narrowed_to(const Source& source, std::string_view type) {
  if (type.find_first_of("*<[(") != type.npos) return false;
  while (!type.empty() && (type.back() == '&' || type.back() == ' ')) type.remove_suffix(1);
  if (type.ends_with(" const")) type.remove_suffix(6);
  const std::size_t begin = type.find_last_of(" :");
  const std::string_view name = type.substr(begin == type.npos ? 0 : begin + 1);
  return is_name_of_number(name) || is_aggregate(source, name);
}

/// Whether all variables of this name are numbers or aggregates, or point to such; and there is one.
bool is_variable_narrowed_to(const Source& source, std::string_view name) {
  bool is_known = false;
  for (std::size_t i = 1; i + 1 < source.size(); ++i) {
    if (!source.is(i, name) || !source.is_own(i) || source.is_any(i - 1, {".", "->", "::"})) continue;
    std::size_t type = i - 1;
    while (type > 0 && (source.is_any(type, {"*", "&", "const", "__restrict__", "__restrict"}))) --type;
    const std::string_view spelling = source.spelling(type);
    if (source.is(type, ">") && source.opening_angle(type) != none &&
        source.is_name(source.opening_angle(type) - 1) &&
        source.is_any(i + 1, {";", "=", "{", "(", ",", ")"}))
      return false; // of a class template
    if (is_name_of_number(spelling) || (source.is_name(type) && is_aggregate(source, spelling)))
      is_known = true;
    else if (source.is_name(type) &&
             !source.is_any(type, {"return", "throw", "else", "do", "case", "delete"}) &&
             (type + 1 == i || source.is_any(i + 1, {";", "=", ",", ")"})) &&
             source.is_any(type - 1, {";", "{", "}", "(", ",", "const"}))
      return false; // of some other type
  }
  return is_known;
}

/// The bracket that is open at token i; `none` if there is none.
std::size_t bracket_around(const Source& source, std::size_t i) {
  while (i-- > 0) {
    if (source.closes(i) && source.match(i) != none)
      i = source.match(i);
    else if (source.opens(i))
      return i;
  }
  return none;
}

/// Where the statement of an expression in braces begins; `none` where it is not sure to be a statement of its own.
std::size_t statement_begin(const Source& source, std::size_t brace) {
  bool in_parentheses =
      bracket_around(source, brace) != none && !source.is(bracket_around(source, brace), "{");
  for (std::size_t i = brace; i-- > 0;) {
    if (source.closes(i) && source.match(i) != none &&
        (in_parentheses || !source.is(i, "}") || source.is_any(i + 1, {",", "."}))) {
      i = source.match(i);
    } else if (source.is_any(i, {"(", "["}) && source.opens(i)) {
      if (source.is_any(i - 1, {"if", "while", "for", "switch"})) return i + 1;
      const std::size_t outer = bracket_around(source, i);
      in_parentheses = outer != none && !source.is(outer, "{");
    } else if (source.is(i, "{")) {
      return source.is_any(i - 1, {")", ";", "{", "}", "else", "do", "try", "const", "noexcept"}) ? i + 1
                                                                                                  : none;
    } else if (source.is_any(i, {";", "}"})) {
      return i + 1;
    } else if (source.is_any(i, {":", "?"})) {
      return none;
    }
  }
  return none;
}

bool is_type_before(const Source& source, std::size_t i) {
  return source.is_name(i) || source.is(i, ">") || is_name_of_number(source.spelling(i)) ||
         source.is(i, "auto");
}

/// Whether the statement that begins at token i declares something.
bool is_declaration(const Source& source, std::size_t i) {
  while (source.is_any(i, {"if", "while", "for", "switch"}) && source.is(i + 1, "("))
    i = source.behind(i + 1);
  while (source.is(i, "else")) ++i;
  if (source.is_any(i, {"return", "throw", "co_return", "delete"})) return false;
  for (std::size_t k = i + 1; k < source.size() && !source.is_any(k, {"=", "{", "(", "[", ";", ".", "->"});
       ++k) {
    if (!source.is_name(k)) continue;
    std::size_t before = k - 1;
    while (before > i && source.is_any(before, {"*", "&", "&&", "const"})) --before;
    if (before >= i && is_type_before(source, before)) return true;
  }
  return source.is_any(i, {"auto", "const", "constexpr", "static", "using", "typedef", "struct"});
}

/// The name of what is called with the parenthesis at `open`, also of a kernel that is launched.
std::size_t called_name(const Source& source, std::size_t open) {
  if (source.is_name(open - 1)) return open - 1;
  if (!source.is(open - 1, ">") || !source.is(open - 2, ">")) return none;
  for (std::size_t i = open - 2; i > 3 && !source.is_any(i, {";", "{", "}"}); --i) {
    if (source.closes(i) && source.match(i) != none)
      i = source.match(i);
    else if (source.is(i, "<") && source.is(i - 1, "<") && source.is(i - 2, "<"))
      return source.is_name(i - 3) ? i - 3 : none;
    else if (source.is(i, "<<<"))
      return source.is_name(i - 1) ? i - 1 : none;
  }
  return none;
}

bool is_argument_narrowed_to(const Source& source, const std::vector<Declaration>& declarations,
                             std::size_t brace) {
  const std::size_t open = bracket_around(source, brace);
  if (open == none || !source.is(open, "(")) return false;
  const std::size_t name = called_name(source, open);
  if (name == none || source.is_any(name - 1, {".", "->", "::", "new"})) return false;
  std::size_t position = 0;
  for (std::size_t i = open + 1; i < brace; i = source.behind(i)) position += source.is(i, ",");
  bool is_known = false;
  for (const Declaration& function : declarations) {
    if (!function.is_function || function.name == none ||
        source.spelling(function.name) != source.spelling(name))
      continue;
    const std::vector<std::string> types = parameter_types(source, function);
    if (function.is_template || position >= types.size() || !is_narrowed_to(source, types[position]))
      return false;
    is_known = true;
  }
  return is_known;
}

} // namespace

bool refuses_narrowing(const Source& source, const std::vector<Declaration>& declarations,
                       std::size_t brace) {
  if (brace == 0 || !source.is(brace, "{") || source.match(brace) == none || source.match(brace) == brace + 1)
    return false;
  const std::size_t before = brace - 1;
  const bool is_argument = source.is_any(before, {"(", ","}), is_assigned = source.is(before, "=");
  if (!is_argument && !is_assigned && !source.is_name(before)) return false;
  if (!is_argument && !is_assigned) {
    std::size_t begin = before;
    while (source.is(begin - 1, "::") && source.is_name(begin - 2)) begin -= 2;
    if (source.is_any(begin - 1, {"new", "struct", "class", "union", "enum", "namespace", "->", ":"}) ||
        !is_aggregate(source, source.spelling(before)))
      return false;
  }
  const std::size_t statement = statement_begin(source, brace);
  if (statement == none || is_declaration(source, statement)) return false;
  if (is_argument) return is_argument_narrowed_to(source, declarations, brace);
  if (!is_assigned) return true;
  std::size_t target = before - 1;
  while (source.is(target, "]") && source.match(target) != none) target = source.match(target) - 1;
  return source.is_name(target) && !source.is_any(target - 1, {".", "->", "::"}) &&
         is_variable_narrowed_to(source, source.spelling(target));
}

bool refuses_narrowing_at(const Source& source, const std::vector<Declaration>& declarations, std::size_t i) {
  std::size_t brace = source.is(i, "{") ? i : bracket_around(source, i);
  while (brace != none && !source.is(brace, "{")) brace = bracket_around(source, brace);
  return brace != none && refuses_narrowing(source, declarations, brace);
}

bool may_narrow(const Source& source, const std::vector<Declaration>& declarations) {
  for (std::size_t i = 1; i < source.size(); ++i)
    if (source.is(i, "{") && source.is_own(i) && refuses_narrowing(source, declarations, i)) return true;
  return false;
}

} // namespace simt::compiler
