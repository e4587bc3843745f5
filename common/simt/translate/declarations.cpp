#include "simt/translate/declarations.hpp"

#include <algorithm>

namespace simt::compiler {
namespace {

bool is_cuda_keyword(const Source& source, std::size_t i) {
  return source.is_any(i, {"__global__", "__device__", "__host__", "__constant__", "__managed__",
                           "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__shared__"});
}

/// Reads declarations scope by scope.
class Reader {
public:
  Reader(const Source& source, std::vector<Declaration>& found) : source_(source), found_(found) {}

  void scope(std::size_t begin, std::size_t end, Scope kind) {
    for (std::size_t i = begin; i < end;) {
      const std::size_t next = declaration(i, end, kind);
      i = next > i ? next : i + 1;
    }
  }

  /// The same for what stands in the braces of `name`, which may be qualified or empty.
  void scope_of(const std::string& name, std::size_t begin, std::size_t end, Scope kind) {
    const std::string outer = owner_;
    if (!name.empty()) owner_ += (owner_.empty() ? "" : "::") + name;
    scope(begin, end, kind);
    owner_ = outer;
  }

  /// Reads one declaration from `i`; returns the index behind it.
  std::size_t declaration(std::size_t i, std::size_t end, Scope kind) {
    if (source_.is(i, ";")) return i + 1;
    if (source_.is_any(i, {"public", "private", "protected"}) && source_.is(i + 1, ":")) return i + 2;
    Declaration current;
    current.scope = kind;
    current.owner = owner_;
    current.begin = i;
    bool assigned = false;
    bool pointer = false;
    bool in_constructor_list = false;
    std::size_t j = i;
    while (j < end) {
      if (current.specifiers == none && !stands_before_specifiers(j)) current.specifiers = j;
      if (const std::size_t behind = source_.behind_attribute(j); behind != j) {
        j = behind;
      } else if (is_cuda_keyword(source_, j)) {
        current.cuda_keywords.push_back(j);
        const bool has_arguments =
            source_.is_any(j, {"__launch_bounds__", "__cluster_dims__", "__maxnreg__"});
        j = has_arguments ? source_.behind(j + 1) : j + 1;
      } else if (assigned || current.body != none) {
        if (source_.is(j, ";")) break;
        if (source_.is(j, "}")) return finish(current, j, j);
        j = source_.behind(j);
      } else if (source_.is(j, "template")) {
        j = template_header(j, current);
      } else if (source_.is(j, "requires")) {
        j = requires_clause(j + 1);
      } else if (source_.is(j, "namespace") && kind == Scope::namespace_scope) {
        std::string name;
        for (++j; j < end && !source_.is_any(j, {"{", ";"}); ++j)
          if (source_.is_name(j) || source_.is(j, "::")) name += source_.spelling(j);
        if (!source_.opens(j)) return j + 1;
        scope_of(name, j + 1, source_.match(j), Scope::namespace_scope);
        return source_.behind(j);
      } else if (source_.is(j, "extern") && source_.kind(j + 1) == TokenKind::string &&
                 source_.opens(j + 2)) {
        scope(j + 3, source_.match(j + 2), kind);
        return source_.behind(j + 2);
      } else if (source_.is_any(j, {"class", "struct", "union"})) {
        j = class_definition(j, end);
      } else if (source_.is(j, "enum")) {
        while (j < end && !source_.is_any(j, {"{", ";", ")", ","})) ++j;
        if (source_.is(j, "{")) j = source_.behind(j);
      } else if (source_.is(j, "operator")) {
        j = operator_name(j, end, current);
      } else if (source_.is(j, "<")) {
        const std::size_t close = source_.closing_angle(j);
        j = close == none ? j + 1 : close + 1;
      } else if (source_.is(j, "(")) {
        if (current.parameters == none && !pointer && !is_specifier_argument(j)) {
          if (source_.is_name(j + 1) && source_.match(j) == j + 2 && source_.opens(j + 3) &&
              source_.is(j + 3, "(")) { // void (f)(int)
            current.name = j + 1;
            j += 3;
          }
          pointer = source_.is_any(j + 1, {"*", "&"});
          const bool value =
              source_.kind(j + 1) != TokenKind::identifier && source_.kind(j + 1) != TokenKind::punctuation;
          if (!pointer && !value) {
            current.parameters = j;
            if (current.name == none) current.name = name_before(j);
          }
        }
        j = source_.behind(j);
      } else if (source_.is(j, "=")) {
        assigned = true;
        ++j;
      } else if (source_.is(j, ":") && current.parameters != none) {
        in_constructor_list = true;
        ++j;
      } else if (source_.is(j, "{")) {
        const bool function = current.parameters != none && !pointer;
        const bool member_initialiser =
            in_constructor_list && (source_.is_identifier(j - 1) || source_.is(j - 1, ">"));
        if (function && !member_initialiser) {
          if (source_.match(j) == none) return end;
          current.body = j;
          std::size_t close = source_.match(j);
          while (source_.is(close + 1, "catch") && source_.opens(source_.behind(close + 2)))
            close = source_.match(source_.behind(close + 2));
          current.is_function = true;
          return finish(current, close, close + 1);
        }
        j = source_.behind(j);
      } else if (source_.is(j, ";")) {
        break;
      } else if (source_.is(j, "}")) {
        return finish(current, j, j);
      } else {
        j = source_.is(j, "[") ? source_.behind(j) : j + 1;
      }
    }
    current.is_function = current.parameters != none && !pointer;
    return finish(current, j, j + 1);
  }

  /// Reads the members of the classes that are defined between two tokens.
  void local_classes(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;)
      i = source_.is_any(i, {"class", "struct", "union"}) && !source_.is(i - 1, "enum")
              ? std::max(class_definition(i, end), i + 1)
              : i + 1;
  }

private:
  /// Whether token j may stand before all specifiers of a declaration.
  bool stands_before_specifiers(std::size_t j) const {
    const bool is_linkage = source_.kind(j) == TokenKind::string ||
                            (source_.is(j, "extern") && source_.kind(j + 1) == TokenKind::string);
    return is_linkage || source_.is_any(j, {"template", "requires"}) || is_cuda_keyword(source_, j) ||
           source_.behind_attribute(j) != j;
  }

  std::size_t finish(Declaration& current, std::size_t end, std::size_t next) {
    current.end = end;
    found_.push_back(std::move(current));
    return next;
  }

  /// `template` at j: a header, or an explicit instantiation.
  std::size_t template_header(std::size_t j, Declaration& current) {
    if (!source_.is(j + 1, "<")) {
      current.is_instantiation = true;
      return j + 1;
    }
    const std::size_t close = source_.closing_angle(j + 1);
    if (close == none) return j + 2;
    if (close == j + 2) {
      current.is_specialization = true;
      return close + 1;
    }
    current.is_template = true;
    bool has_default = false;
    unsigned required = 0;
    for (std::size_t i = j + 2; i <= close; ++i) {
      if (source_.is(i, "...")) current.has_template_pack = true;
      if (source_.is(i, "=")) has_default = true;
      if (source_.is(i, ",") || i == close) {
        required += !has_default;
        has_default = false;
      } else if (source_.is(i, "<")) {
        if (const std::size_t inner = source_.closing_angle(i); inner != none && inner < close) i = inner;
      } else {
        i = source_.behind(i) - 1;
      }
    }
    current.required_template_arguments = required;
    return close + 1;
  }

  std::size_t requires_clause(std::size_t j) {
    while (true) {
      if (source_.is(j, "!")) ++j;
      if (source_.is(j, "requires")) {
        ++j;
        if (source_.is(j, "(")) j = source_.behind(j);
        if (source_.is(j, "{")) j = source_.behind(j);
      } else if (source_.is(j, "(")) {
        j = source_.behind(j);
      } else {
        while (source_.is_name(j) || source_.is(j, "::")) {
          ++j;
          if (source_.is(j, "<") && source_.closing_angle(j) != none) j = source_.closing_angle(j) + 1;
          if (source_.is_name(j) && !source_.is(j - 1, "::")) break;
        }
      }
      if (!source_.is_any(j, {"&&", "||"})) return j;
      ++j;
    }
  }

  /// At a class key: reads the members if a definition follows; returns the index to go on from.
  std::size_t class_definition(std::size_t j, std::size_t end) {
    std::size_t k = j + 1;
    std::string name;
    while (k < end) {
      if (const std::size_t behind = source_.behind_attribute(k); behind != k) {
        k = behind;
      } else if (source_.is_identifier(k) || source_.is(k, "::")) {
        if (source_.is(k, "::"))
          name += "::";
        else if (!source_.is(k, "final"))
          name = name.ends_with("::") ? name + std::string(source_.spelling(k))
                                      : std::string(source_.spelling(k));
        ++k;
      } else if (source_.is(k, "<") && source_.closing_angle(k) != none) {
        k = source_.closing_angle(k) + 1;
      } else {
        break;
      }
    }
    if (source_.is(k, ":"))
      while (k < end && !source_.is_any(k, {"{", ";"})) ++k;
    if (!source_.is(k, "{") || !source_.opens(k)) return j + 1;
    scope_of(name, k + 1, source_.match(k), Scope::class_scope);
    return source_.behind(k);
  }

  std::size_t operator_name(std::size_t j, std::size_t end, Declaration& current) {
    current.name = j;
    std::size_t k = j + 1;
    if (source_.is(k, "(") && source_.is(k + 1, ")")) k += 2;
    while (k < end && !source_.is_any(k, {"(", ";"})) ++k;
    if (!source_.is(k, "(")) return k;
    current.parameters = k;
    return source_.behind(k);
  }

  bool is_specifier_argument(std::size_t paren) const {
    return paren > 0 &&
           source_.is_any(paren - 1, {"decltype", "noexcept", "explicit", "typeof", "__typeof__", "sizeof",
                                      "alignas", "_Pragma", "static_assert", "asm", "__asm__"});
  }

  std::size_t name_before(std::size_t paren) const {
    std::size_t name = paren - 1;
    if (paren == 0) return none;
    if (source_.is(name, ">")) {
      const std::size_t open = source_.opening_angle(name);
      if (open == none || open == 0) return none;
      name = open - 1;
    }
    return source_.is_identifier(name) ? name : none;
  }

  const Source& source_;
  std::vector<Declaration>& found_;
  std::string owner_; ///< where the reader stands
};

} // namespace

bool Declaration::has(const Source& source, std::string_view keyword) const {
  for (const std::size_t i : cuda_keywords)
    if (source.is(i, keyword)) return true;
  return false;
}

bool Declaration::is_constexpr(const Source& source) const {
  for (std::size_t i = begin; i < parameters; ++i)
    if (source.is_any(i, {"constexpr", "consteval"})) return true;
  return false;
}

std::vector<Declaration> find_declarations(const Source& source) {
  std::vector<Declaration> found;
  Reader(source, found).scope(0, source.size() - 1, Scope::namespace_scope);
  return found;
}

std::vector<Declaration> find_local_members(const Source& source, std::size_t open, std::size_t close) {
  std::vector<Declaration> found;
  Reader(source, found).local_classes(open + 1, close);
  return found;
}

Declaration read_local_declaration(const Source& source, std::size_t begin) {
  std::vector<Declaration> found;
  Reader(source, found).declaration(begin, source.size() - 1, Scope::function_scope);
  return found.empty() ? Declaration{} : found.back();
}

std::string with_plain_names(const Source& source, const std::vector<Declaration>& declarations) {
  std::string text;
  for (const Declaration& function : declarations) {
    if (function.name == none || !source.is(function.name - 1, "(") || !source.is(function.name + 1, ")"))
      continue;
    if (text.empty()) text = source.stream().text;
    for (const std::size_t i : {function.name - 1, function.name + 1})
      text[source.stream().tokens[i].offset] = ' ';
  }
  return text;
}

std::set<std::string_view> names_of_function_types(const Source& source) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool is_typedef = source.is(i, "typedef");
    if (!is_typedef && !(source.is(i, "using") && source.is_name(i + 1) && source.is(i + 2, "="))) continue;
    std::size_t end = i + 1;
    while (end < source.size() && !source.is(end, ";")) end = source.behind(end);
    if (!source.is(end - 1, ")") || !source.closes(end - 1)) continue;
    const std::size_t type = source.match(end - 1) - 1; // its last token, or the name that a typedef gives
    if (is_typedef ? source.is_name(type) && follows_type(source, type)
                   : follows_type(source, type + 1) && source.behind_attribute(type) == type &&
                         !source.is_any(type, {"decltype", "typeof", "__typeof__"}))
      names.insert(source.spelling(is_typedef ? type : i + 1));
  }
  return names;
}

FunctionNames names_of_functions(const Source& source, const std::vector<Declaration>& declarations) {
  FunctionNames names;
  for (const Declaration& declaration : declarations)
    if (declaration.is_function && declaration.name != none && source.is_own(declaration.begin))
      names.insert(source.spelling(declaration.name));
  return names;
}

bool follows_type(const Source& source, std::size_t i) {
  return (source.is_identifier(i - 1) && !source.is_any(i - 1, {"return", "else", "case", "throw"})) ||
         source.is_any(i - 1, {"*", "&&", ">"}) ||
         (source.is(i - 1, "&") && !source.is(i - 2, "return") &&
          (source.is_identifier(i - 2) || source.is(i - 2, ">")));
}

std::vector<std::string> parameter_types(const Source& source, const Declaration& function) {
  std::vector<std::string> types;
  const std::size_t close = source.match(function.parameters);
  if (close == none) return types;
  std::size_t begin = function.parameters + 1;
  for (std::size_t i = begin; i <= close; ++i) {
    if (!source.is(i, ",") && i != close) {
      if (source.is(i, "<") && source.closing_angle(i) != none)
        i = source.closing_angle(i);
      else if (source.opens(i))
        i = source.match(i);
      continue;
    }
    std::size_t end = begin;
    std::string type;
    while (end < i && !source.is(end, "=")) ++end;
    const bool named = end - begin > 1 && source.is_name(end - 1) && !source.is(end - 2, "::") &&
                       !source.is_any(end - 2, {"const", "volatile", "struct", "unsigned", "typename"});
    for (std::size_t k = begin; k < end - (named ? 1 : 0); ++k) {
      if (source.is_any(k, {"__restrict__", "__restrict", "__grid_constant__"})) continue;
      if (!type.empty()) type += ' ';
      type += source.spelling(k);
    }
    if (!type.empty()) types.push_back(std::move(type));
    begin = i + 1;
  }
  return types;
}

} // namespace simt::compiler
