#include "simt/translate/passes.hpp"

#include <algorithm>

namespace simt::compiler {
namespace {

/// What the program itself defines that may return a class.
struct OwnFunctions {
  std::set<std::string_view> names;
  std::set<std::string_view> operators; ///< by their first sign: of a subscript `[`, of a call `(`
};

bool is_scalar_type(const Source& source, std::size_t i) {
  return source.is_any(
      i, {"void", "bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "size_t"});
}

/// Whether a function returns what is no class, as far as its first words say.
bool returns_scalar(const Source& source, const Declaration& function) {
  for (std::size_t i = function.specifiers; i < function.name; ++i) {
    if (source.is_any(i, {"const", "inline", "static", "constexpr", "virtual", "friend", "__device__",
                          "__host__", "__forceinline__", "__noinline__"}))
      continue;
    return is_scalar_type(source, i);
  }
  return false;
}

OwnFunctions functions_of(const Source& source, const std::vector<Declaration>& declarations) {
  OwnFunctions own;
  for (const Declaration& declaration : declarations) {
    const std::size_t name = declaration.name;
    if (!declaration.is_function || name == none || !source.is_own(name)) continue;
    if (source.is_identifier(name) && !source.is(name, "operator") && !returns_scalar(source, declaration))
      own.names.insert(source.spelling(name));
  }
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.is_own(i)) continue;
    if (source.is(i, "operator") && !source.is_any(i + 1, {"=", "==", "!=", "<", ">", "<=", ">="}))
      own.operators.insert(source.spelling(i + 1));
    // auto f = [..](..) { .. };
    if (source.is(i, "=") && source.is(i + 1, "[") && source.is_name(i - 1))
      own.names.insert(source.spelling(i - 1));
  }
  return own;
}

/// Where the operand that ends before the `=` at i begins, if what stands there is an assignment and declares nothing;
/// else `none`.
std::size_t assigned_operand(const Source& source, std::size_t i, std::size_t from) {
  std::size_t begin = i;
  for (;;) { // a primary expression and what follows it, from behind
    std::size_t last = begin - 1;
    while (last > from && source.closes(last)) last = source.match(last) - 1;
    if (last + 1 < begin && !source.is_identifier(last)) { // (*p) = ..
      begin = last + 1;
      break;
    }
    if (last <= from || !source.is_identifier(last)) return none;
    begin = last;
    if (!source.is_any(begin - 1, {".", "->", "::"})) break;
    --begin;
  }
  std::size_t before = begin - 1;
  while (before > from && source.is_any(before, {"*", "++", "--"})) --before;
  const bool stands_alone =
      before == from || source.is_any(before, {";", "{", "}", "(", ")", ",", ":", "?", "=", "&&", "||",
                                               "else", "do", "return"});
  return stands_alone ? begin : none;
}

/// The end of the expression that begins at i; `none` where a comma may end it, or part template arguments.
std::size_t behind_expression(const Source& source, std::size_t i, std::size_t to) {
  std::size_t unclear = 0; // the farthest `>` that may end such arguments
  while (i < to && !source.is_any(i, {";", ",", ")", "]", "}"})) {
    const std::size_t angle = source.is(i, "<") ? source.closing_angle(i) : none;
    const bool is_clear = angle != none && source.is_any(angle + 1, {"(", "::", "{"});
    if (angle != none && !is_clear) unclear = std::max(unclear, angle);
    i = is_clear ? angle + 1 : source.behind(i);
  }
  return i < unclear && source.is(i, ",") ? none : i;
}

/// Whether an expression calls what may return a class by value.
bool may_be_class(const Source& source, std::size_t begin, std::size_t end, const OwnFunctions& own) {
  if (end - begin < 2 || source.is(begin, "{")) return false;
  for (std::size_t i = begin; i < end; ++i) {
    if (!source.is(i, "(") && own.operators.contains(source.spelling(i))) return true;
    if (!source.is_name(i)) continue;
    std::size_t behind = i + 1;
    if (source.is(behind, "<")) {
      const std::size_t angle = source.closing_angle(behind);
      if (angle != none) behind = angle + 1;
    }
    if (!source.is(behind, "(")) continue;
    if (own.operators.contains("(") || own.names.contains(source.spelling(i)) ||
        source.is_any(i - 1, {".", "->", "::"}))
      return true;
  }
  return false;
}

/// Marks the expression [begin, end), or the two that a condition chooses from.
void mark(Source& source, std::size_t begin, std::size_t end, const OwnFunctions& own) {
  std::size_t question = none, colon = none;
  unsigned open = 0;
  for (std::size_t i = begin; i < end && colon == none; i = source.behind(i)) {
    if (source.is(i, "?") && open++ == 0) question = i;
    if (source.is(i, ":") && open > 0 && --open == 0) colon = i;
  }
  if (colon != none) {
    mark(source, question + 1, colon, own);
    mark(source, colon + 1, end, own);
  } else if (may_be_class(source, begin, end, own)) {
    source.insert_before(begin, "::simt::stored(");
    source.insert_behind(end - 1, ")");
  }
}

} // namespace

void mark_stored_results(Source& source, const std::vector<Declaration>& declarations,
                         const std::vector<Body>& bodies) {
  if (!source.balanced()) return;
  const OwnFunctions own = functions_of(source, declarations);
  for (const Body& body : bodies) {
    if (!body.on_device || body.close == none || !source.is_own(body.open)) continue;
    for (std::size_t i = body.open + 1; i < body.close; ++i) {
      if (!source.is(i, "=") || assigned_operand(source, i, body.open) == none) continue;
      if (const std::size_t end = behind_expression(source, i + 1, body.close); end != none)
        mark(source, i + 1, end, own);
    }
  }
}

} // namespace simt::compiler
