#include "simt/translate/passes.hpp"

#include <charconv>
#include <optional>

namespace simt::compiler {
namespace {

/// Looks at the bodies of the program's own functions for what compiles and cannot be meant; all of it is a warning.
class Slips {
public:
  Slips(Source& source, const FunctionNames& own) : source_(source), own_(own) {}

  void look_at(const Body& body) {
    body_ = &body;
    for (std::size_t i = body.open + 1; i < body.close; ++i) {
      if (!source_.is_own(i)) continue;
      division(i);
      unused_result(i);
      empty_loop(i);
      two_values(i);
      lost_case(i);
    }
  }

private:
  /// A whole number as it stands in the line, which is of no macro.
  std::optional<unsigned long long> whole_number(std::size_t i) const {
    const std::string_view text = source_.spelling(i);
    unsigned long long value = 0;
    if (source_.kind(i) != TokenKind::number || text.front() == '0') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole && source_.column(i) != 0 ? std::optional(value) : std::nullopt;
  }

  bool is_float_type(std::size_t i) const { return source_.is_any(i, {"float", "double"}); }

  /// Whether token i is, or begins or ends with, a number with a fraction or a variable of the function that is declared as one.
  bool is_float(std::size_t i) const {
    if (source_.closes(i) && source_.is(i, "]")) i = source_.match(i) - 1;
    const std::string_view text = source_.spelling(i);
    if (source_.kind(i) == TokenKind::number)
      return !text.starts_with("0x") && text.find_first_of(".eEf") != text.npos;
    if (!source_.is_name(i) || source_.is(i + 1, "(") || source_.is_any(i - 1, {".", "->", "::"}))
      return false;
    bool is_known = false;
    for (std::size_t k = body_->function ? body_->function->begin : body_->open; k < body_->close; ++k) {
      if (!source_.is(k, text)) continue;
      std::size_t type = k - 1;
      while (source_.is_any(type, {"*", "&", "const", "__restrict__"})) --type;
      if (is_float_type(type) && source_.is_any(k + 1, {"=", ";", ",", ")", "[", "{"}))
        is_known = true;
      else if (type == k - 1 &&
               (source_.is_name(type) || source_.is_any(type, {"int", "unsigned", "long", "auto"})) &&
               !source_.is_any(type, {"return", "else", "case", "do"}))
        return false;
    }
    return is_known;
  }

  /// `1 / 2 * x`, `float scale = 3 / 4;`, `pow(x, 1 / 3)`
  void division(std::size_t i) {
    if (!source_.is(i, "/") || source_.kind(i - 1) != TokenKind::number ||
        source_.kind(i + 1) != TokenKind::number)
      return;
    const auto one = whole_number(i - 1), other = whole_number(i + 1);
    if (!one || !other || *other == 0 || *one % *other == 0) return;
    std::size_t before = i - 2, behind = i + 2;
    if (source_.is_any(before, {"*", "/", "%"})) return;
    const bool is_alone = source_.is(before, "(") && source_.is(behind, ")") &&
                          !source_.is_name(before - 1) &&
                          !source_.is_any(before - 1, {"if", "while", "for", "switch", "return", ">"});
    if (is_alone) --before, ++behind;
    const bool is_factor = source_.is(behind, "*") || (is_alone && source_.is(before, "*"));
    const bool meets_float = (source_.is_any(behind, {"*", "+", "-"}) && is_float(behind + 1)) ||
                             (source_.is_any(before, {"*", "+", "-"}) && is_float(before - 1));
    const bool is_stored =
        source_.is(before, "=") && source_.is_any(behind, {";", ",", ")"}) && is_float(before - 1);
    const bool is_power = source_.is(before, ",") && source_.is(behind, ")") &&
                          source_.is_any(source_.match(behind) - 1, {"pow", "powf"});
    if ((*one < *other && is_factor) || meets_float || is_stored || is_power)
      source_.warning(i, concatenate({source_.spelling(i - 1), " / ", source_.spelling(i + 1),
                                      " divides whole numbers, and is ", std::to_string(*one / *other),
                                      ": write ", source_.spelling(i - 1), ".0f / ", source_.spelling(i + 1),
                                      " for a result with a fraction"}));
  }

  /// `min(x, limit);`
  void unused_result(std::size_t i) {
    if (!source_.is_any(i, {"min", "max"}) || // those of the C library the compiler knows
        !source_.is(i + 1, "(") || !source_.opens(i + 1) || !source_.is(source_.behind(i + 1), ";") ||
        own_.contains(source_.spelling(i)))
      return;
    std::size_t begin = i;
    while (source_.is(begin - 1, "::") || (begin < i && source_.is(begin - 1, "std"))) --begin;
    if (begins_statement(source_, begin))
      source_.warning(
          i, concatenate({"what ", source_.spelling(i), " returns is not used, and ", source_.spelling(i),
                          " changes none of its arguments: store it, as in x = ", source_.flat(i, i + 1),
                          "(...)"}));
  }

  /// `for (...);` with a body below, in braces or further to the right.
  void empty_loop(std::size_t i) {
    if (!source_.is_any(i, {"for", "while"}) || !source_.is(i + 1, "(") || !source_.opens(i + 1)) return;
    const std::size_t end = source_.behind(i + 1);
    if (!source_.is(end, ";") || line_of(end) != line_of(end - 1)) return;
    if (source_.is(i, "while") &&
        (!source_.is_any(i - 1, {";", "{"}) || source_.is(statement_before(i), "do")))
      return;
    const bool is_below = line_of(end + 1) > line_of(end) && line_of(end + 1) - line_of(end) < 3;
    const bool is_to_the_right = is_below && !source_.is(end + 1, "}") && begins_line(i) &&
                                 source_.column(end + 1) > source_.column(i);
    if (source_.is(end + 1, "{") ? line_of(end + 1) - line_of(end) < 2 : is_to_the_right)
      source_.warning(end, concatenate({"this ; is all that belongs to the `", source_.spelling(i),
                                        "`, and what stands below is done once: remove the ;"}));
  }

  /// Where the statement begins that ends before token i.
  std::size_t statement_before(std::size_t i) const {
    std::size_t begin = i - 1;
    while (begin > body_->open && !source_.is_any(begin - 1, {";", "{", "}"})) --begin;
    return begin;
  }
  unsigned line_of(std::size_t i) const { return i < source_.size() ? source_.stream().tokens[i].line : 0; }
  bool begins_line(std::size_t i) const { return line_of(i - 1) < line_of(i); }

  /// Where the operand ends that begins at i: names, members and elements.
  std::size_t behind_operand(std::size_t i) const {
    while (source_.is_name(i) || source_.kind(i) == TokenKind::number ||
           source_.is_any(i, {".", "->", "[", "-", "+"}))
      i = source_.behind(i);
    return i;
  }

  /// Whether what stands there are two different numbers, or a number and, as with most n, `n - 1`.
  bool differ(const TokenRange& one, const TokenRange& other, bool with_most) const {
    const auto is_number = [&](const TokenRange& range) {
      return range.second == range.first + 1 && source_.kind(range.first) == TokenKind::number;
    };
    const auto is_last = [&](const TokenRange& range) {
      return range.second > range.first + 2 && source_.is(range.second - 2, "-") &&
             source_.kind(range.second - 1) == TokenKind::number;
    };
    const bool is_same = source_.flat(one.first, one.second) == source_.flat(other.first, other.second);
    return !is_same &&
           ((is_number(one) && (is_number(other) || (with_most && is_last(other)))) ||
            (with_most && is_number(other) && is_last(one)));
  }

  /// `i != 0 || i != n - 1`, and `i == 0 && i == 1`
  void two_values(std::size_t i) {
    const bool is_or = source_.is(i, "||");
    if (!is_or && !source_.is(i, "&&")) return;
    const std::string_view sign = is_or ? "!=" : "==";
    std::size_t begin = i;
    while (begin > body_->open &&
           !source_.is_any(begin - 1, {"(", "||", "&&", "=", ";", "{", "}", "return", "?", ",", "!"}))
      --begin;
    if (source_.is_any(begin - 1, {"!", is_or ? "&&" : "||"})) return;
    const std::size_t first = behind_operand(begin), second = behind_operand(i + 1);
    if (!source_.is(first, sign) || !source_.is(second, sign) ||
        source_.flat(begin, first) != source_.flat(i + 1, second))
      return;
    const std::size_t end = behind_operand(second + 1);
    if (behind_operand(first + 1) != i || !source_.is_any(end, {")", ";", "?", ",", is_or ? "||" : "&&"}))
      return;
    // `i == 0 && i == n - 1` asks for the only element.
    if (!differ({first + 1, i}, {second + 1, end}, is_or)) return;
    source_.warning(i, is_or ? "this is true for every value: one of the two is always unequal. Is && meant?"
                             : "this is true for no value: it cannot be equal to both. Is || meant?");
  }

  /// A `case` without `break` that sets what the next one sets again.
  void lost_case(std::size_t i) {
    if (!source_.is_any(i, {"case", "default"}) || !source_.is(i - 1, ";")) return;
    std::size_t begin = i - 1;
    while (begin > body_->open && !source_.is_any(begin - 1, {":", ";", "{", "}", ")", "else", "do"}))
      --begin;
    std::size_t next = i;
    while (next < body_->close && !source_.is_any(next, {":", ";", "{"})) ++next;
    const std::size_t sign = behind_operand(begin), other = behind_operand(++next);
    if (!source_.is_any(begin - 1, {":", ";", "{", "}"}) || !source_.is(sign, "=") ||
        !source_.is(other, "=") || source_.flat(begin, sign) != source_.flat(next, other))
      return;
    std::size_t end = other;
    while (end < body_->close && !source_.is(end, ";")) ++end;
    if (!source_.mentions(other, end, source_.spelling(begin)))
      source_.warning(begin, concatenate({"the `switch` goes on with the next `case`, which sets ",
                                          source_.flat(begin, sign), " again: end this one with break;"}));
  }

  Source& source_;
  const FunctionNames& own_;
  const Body* body_ = nullptr;
};

} // namespace

void warn_of_slips(Source& source, const std::vector<Declaration>& declarations,
                   const std::vector<Body>& bodies) {
  const FunctionNames own = names_of_functions(source, declarations);
  Slips slips(source, own);
  for (const Body& body : bodies)
    if (source.is_own(body.open)) slips.look_at(body);
}

} // namespace simt::compiler
