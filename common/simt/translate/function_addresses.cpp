#include "simt/translate/declared_functions.hpp"
#include "simt/translate/passes.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace simt::compiler {
namespace {

/// The functions that share one name, as far as their address is concerned.
struct NamedFunctions {
  const Declaration* one = nullptr;
  std::set<std::vector<std::string>> signatures;
  std::set<std::string> owners;
  bool is_template = false;
  bool has_other = false; ///< a member or a variable has the name, too: what it means is not known
  bool on_device = false;

  bool is_unique() const { return !has_other && signatures.size() == 1 && owners.size() == 1; }
};
using FunctionsByPlainName = std::map<std::string_view, NamedFunctions>;

FunctionsByPlainName functions_by_plain_name(const Source& source,
                                             const std::vector<Declaration>& declarations) {
  FunctionsByPlainName found;
  for (const Declaration& declaration : declarations) {
    if (!declaration.is_function || declaration.name == none || !source.is_own(declaration.name)) continue;
    NamedFunctions& same = found[source.spelling(declaration.name)];
    same.one = &declaration;
    same.signatures.insert(parameter_types(source, declaration));
    same.owners.insert(DeclaredFunctions::owner_of(source, declaration));
    same.is_template |= declaration.is_template;
    same.on_device |= declaration.has(source, "__device__") || declaration.is_constexpr(source);
    same.has_other |= declaration.scope != Scope::namespace_scope || declaration.has(source, "__global__");
  }
  for (const Declaration& variable : declarations)
    for (std::size_t i = variable.begin; !variable.is_function && i < variable.end; ++i)
      if (source.is_any(i + 1, {"[", ";", "="}))
        if (const auto same = found.find(source.spelling(i));
            same != found.end() && !source.is_any(i - 1, {"=", "&"}))
          same->second.has_other = true;
  return found;
}

/// Behind the template arguments of the name at i, if it has any.
std::size_t behind_name(const Source& source, std::size_t i) {
  const std::size_t close = source.is(i + 1, "<") ? source.closing_angle(i + 1) : none;
  return close == none ? i + 1 : close + 1;
}

/// The bracket around token i that opens last, behind token `from`; `none` if there is none. `{` of a list of values and not of
/// a block, or `(`.
std::size_t list_around(const Source& source, std::size_t i, std::size_t from) {
  for (std::size_t k = i; k-- > from;) {
    if (source.closes(k)) {
      k = source.match(k);
    } else if (source.opens(k)) {
      if (source.is(k, "(")) return k;
      const bool is_value = source.is(k, "{") && (source.is_any(k - 1, {"=", "]", ">", "(", ",", "return"}) ||
                                                  source.is_name(k - 1) || source.is(k - 1, "{"));
      return is_value ? k : none;
    }
  }
  return none;
}

/// Whether token i is not evaluated, or belongs to a template's arguments, in the code that begins at `from`.
bool is_no_value(const Source& source, std::size_t i, std::size_t from) {
  for (std::size_t k = i; k-- > from && !source.is(k, ";");) {
    if (source.closes(k)) {
      k = source.match(k);
      continue;
    }
    const std::size_t close = source.is(k, "<") ? source.closing_angle(k) : none;
    if (close != none && close > i) return true;
    if (source.is_any(k, {"decltype", "sizeof", "alignof", "typeid", "noexcept", "__attribute__", "using",
                          "static_assert", "requires", "__typeof__", "template", "["}))
      return true;
  }
  return false;
}

/// Whether the name at token i is one of a function whose address is taken, as a value: `f = twice`, `run(&twice, x)`.
bool takes_address(const Source& source, std::size_t i, std::size_t from) {
  std::size_t before = i - 1;
  if (source.is(before, "&")) --before;
  if (!source.is_any(before, {"=", "==", "!=", "(", ",", "{", "return", "?", ":"}) ||
      !source.is_any(behind_name(source, i), {",", ")", "}", ";", ":", "==", "!=", "?"}) ||
      is_no_value(source, i, from))
    return false;
  if (source.is_any(before, {"=", "==", "!=", "return", "?", ":"})) return true;
  return list_around(source, i, from) != none;
}

/// Whether the tokens [from, to) declare something of this name.
bool declares(const Source& source, std::size_t from, std::size_t to, std::string_view name) {
  for (std::size_t i = from; i < to; ++i) {
    if (!source.is(i, name)) continue;
    const bool is_changed = source.is_any(i + 1, {"=", "[", "{"});
    if (is_changed || follows_type(source, i)) return true;
  }
  return false;
}

/// Code of the host: the tokens between `open` and `close`, and where what may hide a name begins.
struct HostCode {
  std::size_t begin, open, close;
};

std::vector<HostCode> code_of_host(const Source& source, const std::vector<Declaration>& declarations,
                                   const std::vector<Body>& bodies) {
  std::vector<HostCode> found;
  for (const Body& body : bodies)
    if (body.on_host && !body.on_device && source.is_own(body.open) && !has_device_lambda(source, body) &&
        !body.function->is_constexpr(source))
      found.push_back({body.function->parameters, body.open, body.close});
  for (const Declaration& variable : declarations)
    if (!variable.is_function && variable.scope == Scope::namespace_scope && !variable.is_template &&
        variable.cuda_keywords.empty() && variable.end != none && source.is_own(variable.begin) &&
        !source.is_any(variable.begin, {"struct", "class", "union", "enum", "using", "typedef", "template"}))
      found.push_back({variable.begin, variable.begin, variable.end});
  return found;
}

} // namespace

void mark_function_addresses(Source& source, const std::vector<Declaration>& declarations,
                             const std::vector<Body>& bodies) {
  const FunctionsByPlainName functions = functions_by_plain_name(source, declarations);
  std::set<std::string_view> taken_of_host;
  for (const HostCode& code : code_of_host(source, declarations, bodies)) {
    for (std::size_t i = code.open + 1; i < code.close; ++i) {
      if (!source.is_name(i) || source.is_edited(i)) continue;
      const auto found = functions.find(source.spelling(i));
      if (found == functions.end() || !takes_address(source, i, code.open)) continue;
      const auto& [name, function] = *found;
      if (declares(source, code.begin, code.close, name)) continue;
      if (!function.on_device) {
        taken_of_host.insert(name);
        continue;
      }
      const std::size_t behind = behind_name(source, i);
      if (!function.is_unique() || function.is_template != (behind != i + 1)) continue;
      source.insert_before(i, "::simt::host_address<");
      source.insert_behind(behind - 1, " >()");
    }
  }
  for (const Body& body : bodies)
    if (!body.on_device && body.function->name != none && source.is(body.open, "{") &&
        !source.is(body.open - 1, "try") && !body.function->is_constexpr(source) &&
        source.is_own(body.open) && taken_of_host.contains(source.spelling(body.function->name)))
      source.insert_behind(
          body.open, concatenate({" ::simt::only_on_host(\"", source.spelling(body.function->name), "\");"}));
}

} // namespace simt::compiler
