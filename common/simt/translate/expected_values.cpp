// Plain reads of a word whose value does nothing but feed a compare-and-swap of the same word, as in the programming
// guide's atomicAdd for doubles:
//
//   old = *address;
//   do { assumed = old; old = atomicCAS(address, assumed, f(assumed)); } while (assumed != old);
//
// If another thread's atomic comes in between, the compare-and-swap fails, and nothing has depended on the value. So
// that read is no race with atomics, and the simulator learns which one it is. The rule is one of tokens, and it is
// strict: from the read to the end of the loop, the value may go into local variables, into the second and third
// argument of compare-and-swaps of that word, and into a comparison with the result of one; nowhere else. A device function
// that does nothing but one compare-and-swap with its three parameters counts as one.
#include "simt/translate/passes.hpp"

#include <algorithm>
#include <string>

namespace simt::compiler {
namespace {

using Range = std::pair<std::size_t, std::size_t>; ///< the tokens from the first up to before the second

bool is_within(std::size_t i, const Range& range) { return range.first <= i && i < range.second; }

/// One call of atomicCAS, and the loop that repeats it.
struct Exchange {
  std::size_t call = none;
  Range place, expected, wanted; ///< its arguments
  Range loop{none, none};        ///< the innermost one around it
  std::string word;              ///< what `place` points to
  std::string result;            ///< the variable that gets the value; may be empty
};

using Names = std::set<std::string, std::less<>>;

class ExpectedValues {
public:
  /// `functions` are those that do nothing but one compare-and-swap.
  ExpectedValues(Source& source, const Body& body, const Names& functions)
      : source_(source), body_(body), functions_(functions) {}

  void mark() {
    for (std::size_t i = body_.open + 1; i < body_.close; ++i) {
      Exchange exchange;
      if (read_exchange(i, exchange)) exchanges_.push_back(std::move(exchange));
    }
    for (const Exchange& exchange : exchanges_) {
      // Before its loop, or in it.
      const std::size_t last = exchange.loop.first == none ? exchange.call : exchange.loop.second;
      for (std::size_t k = body_.open + 1; k < last; ++k) mark_read(k, exchange);
    }
  }

  /// Whether the body is `return atomicCAS(...);` with the three parameters of these names as its arguments, be it that they or
  /// the result are converted, or that the result is compared with the second one.
  bool is_exchange_of(const std::vector<std::string>& parameters) const {
    if (parameters.size() != 3 || !source_.is(body_.open + 1, "return")) return false;
    Exchange exchange;
    for (std::size_t i = body_.open + 2; i < body_.close; ++i) {
      if (source_.is(i, ";")) return i + 1 == body_.close && exchange.call != none;
      if (exchange.call == none && read_exchange(i, exchange)) {
        if (!names_only(exchange.place, parameters[0]) || !names_only(exchange.expected, parameters[1]) ||
            !names_only(exchange.wanted, parameters[2]))
          return false;
        i = source_.match(i + 1);
      } else if (source_.is(i, parameters[0]) || source_.is(i, parameters[2])) {
        return false;
      }
    }
    return false;
  }

private:
  // ---- the exchange

  /// Whether of the three parameters the range names this one, and calls functions at most.
  bool names_only(const Range& range, const std::string& parameter) const {
    bool is_named = false;
    for (std::size_t i = range.first; i < range.second; ++i)
      is_named |= source_.is(i, parameter) && !source_.is_any(i - 1, {".", "->", "::"});
    for (std::size_t i = range.first; i < range.second; ++i)
      if (source_.is_any(i, {"+", "-", "[", "=", "?"})) return false;
    return is_named;
  }

  bool is_exchange_name(std::size_t i) const {
    return source_.is_any(i, {"atomicCAS", "atomicCAS_block", "atomicCAS_system"}) ||
           (source_.is_name(i) && functions_.count(source_.spelling(i)) != 0);
  }

  bool read_exchange(std::size_t i, Exchange& exchange) const {
    if (!is_exchange_name(i) || !source_.is(i + 1, "(") || !source_.opens(i + 1) ||
        source_.is_any(i - 1, {".", "->"}))
      return false;
    std::vector<Range> arguments;
    const std::size_t close = source_.match(i + 1);
    for (std::size_t begin = i + 2, k = begin; k <= close; k = k == close ? k + 1 : behind(k))
      if (k == close || source_.is(k, ",")) {
        arguments.push_back({begin, k});
        begin = k + 1;
      }
    if (arguments.size() != 3) return false;
    exchange.call = i;
    exchange.place = arguments[0];
    exchange.expected = arguments[1];
    exchange.wanted = arguments[2];
    exchange.loop = loop_around(i);
    exchange.word = pointed_to(exchange.place, 0);
    const std::size_t assignment = assignment_before(i);
    if (assignment != none) exchange.result = source_.spelling(assignment - 1);
    return !exchange.word.empty();
  }

  /// The innermost loop around token i.
  Range loop_around(std::size_t i) const {
    Range innermost{none, none};
    std::set<std::size_t> tails; // the `while` that ends a `do`
    for (std::size_t k = body_.open + 1; k < i; ++k) {
      if (!source_.is_any(k, {"do", "while", "for"}) || tails.count(k) != 0) continue;
      const std::size_t end = behind_statement(source_, k, body_.close);
      if (end == none) continue;
      if (source_.is(k, "do") && source_.closes(end - 2)) tails.insert(source_.match(end - 2) - 1);
      if (is_within(i, {k, end})) innermost = {k, end};
    }
    return innermost;
  }

  // ---- places in memory, as text: equal texts are one place

  /// The index behind the token, the brackets or the template arguments at i.
  std::size_t behind(std::size_t i) const { return source_.behind(i); }

  /// Without brackets around it, and without casts before it.
  Range stripped(Range range) const {
    while (range.first < range.second) {
      const std::size_t first = range.first, last = range.second - 1;
      if (source_.is(first, "(") && source_.opens(first)) {
        const std::size_t close = source_.match(first);
        if (close == last)
          range = {first + 1, last};
        else if (is_cast(first))
          range.first = close + 1;
        else
          break;
      } else if (source_.is_any(first, {"reinterpret_cast", "static_cast", "const_cast"}) &&
                 source_.closing_angle(first + 1) != none && source_.is(last, ")") &&
                 source_.match(last) == source_.closing_angle(first + 1) + 1) {
        range = {source_.match(last) + 1, last};
      } else {
        break;
      }
    }
    return range;
  }

  /// Whether the group at `open` is a cast to a type of pointers or of numbers: names and stars, and something behind it.
  bool is_cast(std::size_t open) const {
    const std::size_t close = source_.match(open);
    if (close == open + 1 ||
        !(source_.is_identifier(close + 1) || source_.is_any(close + 1, {"(", "&", "*"})))
      return false;
    bool is_pointer = false;
    for (std::size_t k = open + 1; k < close; ++k) {
      if (source_.is(k, "*"))
        is_pointer = true;
      else if (is_pointer || !(source_.is_identifier(k) || source_.is(k, "::")))
        return false;
    }
    return is_pointer || source_.is_any(close - 1, {"int", "long", "unsigned", "short", "float", "double"});
  }

  std::string text_of(const Range& range) const { return source_.flat(range.first, range.second); }

  /// What the pointer points to; empty where that cannot be known.
  std::string pointed_to(Range range, unsigned depth) const {
    range = stripped(range);
    const auto [first, end] = range;
    if (first >= end || depth > 8) return {};
    if (source_.is(first, "&")) return place_of({first + 1, end}, depth + 1);
    if (end == first + 1) {
      if (!source_.is_name(first)) return {};
      const Range initial = initial_value(source_.spelling(first), first);
      const std::string of_initial = initial.first == none ? std::string() : pointed_to(initial, depth + 1);
      return of_initial.empty() ? concatenate({"*", source_.spelling(first)}) : of_initial;
    }
    for (std::size_t k = first; k < end; k = behind(k))
      if (source_.is(k, "+") && k > first) return element_of({first, k}, {k + 1, end}, depth);
    return member(range);
  }

  std::string element_of(const Range& base, const Range& index, unsigned depth) const {
    const std::string array = pointed_to(base, depth + 1);
    const std::string number = text_of(stripped(index));
    if (array.empty() || number == "0") return array;
    return concatenate({array, "[", number, "]"});
  }

  /// The place that an expression names; empty where that cannot be known.
  std::string place_of(Range range, unsigned depth) const {
    while (source_.is(range.first, "(") && source_.match(range.first) == range.second - 1)
      range = {range.first + 1, range.second - 1};
    const auto [first, end] = range;
    if (first >= end || depth > 8) return {};
    if (source_.is(first, "*")) return pointed_to({first + 1, end}, depth + 1);
    if (source_.is(end - 1, "]") && source_.closes(end - 1) && source_.match(end - 1) > first)
      return element_of({first, source_.match(end - 1)}, {source_.match(end - 1) + 1, end - 1}, depth);
    if (end == first + 1) return source_.is_name(first) ? concatenate({"&", source_.spelling(first)}) : "";
    return member(range);
  }

  /// `a.b` and `a->b[i].c`: the text is all there is to it.
  std::string member(const Range& range) const {
    for (std::size_t k = range.first; k < range.second; ++k)
      if (!source_.is_identifier(k) && source_.kind(k) != TokenKind::number &&
          !source_.is_any(k, {".", "->", "::", "[", "]"}))
        return {};
    return text_of(range);
  }

  /// Of a pointer that is declared in this function before token `use`, and set there.
  Range initial_value(std::string_view name, std::size_t use) const {
    for (std::size_t k = body_.open + 1; k < use; ++k) {
      const bool is_declared = source_.is(k - 1, "*")
                                   ? source_.is_identifier(k - 2) || source_.is_any(k - 2, {">", "*"})
                                   : source_.is_any(k - 1, {"const", "__restrict__", "auto"});
      if (!source_.is(k, name) || !source_.is(k + 1, "=") || !is_declared) continue;
      std::size_t end = k + 2;
      while (end < use && !source_.is_any(end, {";", ","})) end = behind(end);
      return {k + 2, end};
    }
    return {none, none};
  }

  // ---- the read

  /// Whether a plain read of the exchange's word, as an expression of its own, begins at k: where it ends, else `none`.
  std::size_t behind_read(std::size_t k, const Exchange& exchange) const {
    std::size_t end = k;
    const bool is_operand =
        source_.is_any(k - 1, {"=", "(", "{"}) ||
        (source_.closes(k - 1) && source_.is(k - 1, ")") && is_cast(source_.match(k - 1)));
    if (source_.is(k, "*")) {
      if (!is_operand) return none;
      end = behind_operand(k + 1);
    } else {
      if (!source_.is_name(k) || source_.is_any(k - 1, {".", "->", "::", "&", "*"}) || !is_operand)
        return none;
      end = behind_operand(k);
    }
    if (end == none || !source_.is_any(end, {";", ",", ")", "}"})) return none;
    return place_of({k, end}, 0) == exchange.word ? end : none;
  }

  /// Behind a cast's operand, or a name with its members and indices.
  std::size_t behind_operand(std::size_t k) const {
    if (source_.is(k, "(") && source_.opens(k)) {
      const std::size_t close = source_.match(k);
      return is_cast(k) ? behind_operand(close + 1) : close + 1;
    }
    if (source_.is_any(k, {"reinterpret_cast", "static_cast"})) {
      const std::size_t angle = source_.closing_angle(k + 1);
      return angle == none || !source_.opens(angle + 1) ? none : behind(angle + 1);
    }
    if (!source_.is_name(k)) return none;
    for (++k; k < body_.close;) {
      if (source_.is_any(k, {".", "->"}))
        k += 2;
      else if (source_.is(k, "[") && source_.opens(k))
        k = behind(k);
      else
        break;
    }
    return k;
  }

  void mark_read(std::size_t k, const Exchange& exchange) {
    const std::size_t end = behind_read(k, exchange);
    if (end == none || marked_.count(k) != 0) return;
    const std::size_t assignment = assignment_before(k);
    if (assignment == none || !is_local(source_.spelling(assignment - 1))) return;
    if (!only_feeds(exchange, k, std::string(source_.spelling(assignment - 1)))) return;
    marked_.insert(k);
    source_.insert_before(k, "::simt::expected_value(");
    source_.insert_behind(end - 1, ")");
  }

  // ---- what the value feeds

  /// The `=` of the assignment or the declaration `name = ...` in whose value token i stands, under nothing but brackets
  /// and calls of functions that compute; `none` if it does not.
  std::size_t assignment_before(std::size_t i) const {
    for (std::size_t k = i; k-- > body_.open + 1;) {
      if (source_.closes(k)) {
        k = source_.match(k);
      } else if (source_.is(k, "(")) {
        if (source_.is_identifier(k - 1) && !is_computation(source_.spelling(k - 1))) return none;
        if (source_.is(k - 1, "*") && is_prefix(k - 1)) return none;
      } else if (source_.is(k, "=")) {
        const bool is_plain = source_.is_name(k - 1) && !source_.is_any(k - 2, {".", "->", "]", "::", "&"}) &&
                              !(source_.is(k - 2, "*") && is_prefix(k - 2) && !declares_pointer(k - 2));
        return is_plain ? k : none;
      } else if (source_.is_any(k, {";", "{", "}", "[", "return",
                                    "+=", "-=", "*=", "/=", "|=", "&=", "^=", "%=", "<<=", ">>="}) ||
                 (source_.is(k, ",") && separates_declarators(k))) {
        return none;
      }
    }
    return none;
  }

  bool separates_declarators(std::size_t comma) const {
    const std::size_t open = enclosing_open(comma);
    return !source_.is(open, "(") || source_.is(open - 1, "for");
  }

  bool declares_pointer(std::size_t star) const { return source_.is_identifier(star - 1); }

  /// Whether the `*` or `&` at k has one operand.
  bool is_prefix(std::size_t k) const {
    return !(source_.is_name(k - 1) || source_.kind(k - 1) == TokenKind::number || source_.closes(k - 1));
  }

  /// Functions that change memory, or show a value, are none.
  bool is_computation(std::string_view name) const {
    if (name == "atomicCAS" || name == "atomicCAS_block" || name == "atomicCAS_system" ||
        functions_.count(name) != 0)
      return true;
    return !name.starts_with("atomic") && !name.ends_with("printf") && !name.starts_with("__st") &&
           name != "if" && name != "while" && name != "for" && name != "switch";
  }

  /// Whether the function declares a variable of this name that is not in shared memory.
  bool is_local(std::string_view name) const {
    for (std::size_t k = body_.open + 1; k < body_.close; ++k) {
      if (!source_.is(k, name) || !source_.is_any(k + 1, {"=", ";", ",", "{", "("})) continue;
      std::size_t type = k;
      while (source_.is(type - 1, ",") && enclosing_open(k) == enclosing_open(type - 1) &&
             !source_.is(enclosing_open(k), "(")) {
        type -= 1; // one of several declarators
        while (type > body_.open && !source_.is_any(type - 1, {",", ";", "{", "}"}))
          type = source_.closes(type - 1) ? source_.match(type - 1) : type - 1;
      }
      const bool first = type == k;
      const std::size_t begin = source_.declaration_begin(type);
      if (first ? begin == k || !source_.is_identifier(k - 1) : !source_.is_identifier(type)) continue;
      if (source_.is_any(begin, {"return", "else", "goto"})) continue;
      for (std::size_t t = begin; t < k; ++t)
        if (source_.is_any(t, {"__shared__", "extern", "static", "&"})) return false;
      return true;
    }
    return false;
  }

  /// The bracket that is open at token i.
  std::size_t enclosing_open(std::size_t i) const {
    for (std::size_t k = i; k-- > body_.open;) {
      if (source_.closes(k))
        k = source_.match(k);
      else if (source_.opens(k))
        return k;
    }
    return body_.open;
  }

  bool only_feeds(const Exchange& exchange, std::size_t read, const std::string& variable) {
    const bool has_loop = exchange.loop.first != none;
    const bool reads_in_loop = has_loop && is_within(read, exchange.loop);
    if (!has_loop && read > exchange.call) return false;
    const Range region = !has_loop       ? Range{read, body_.close}
                         : reads_in_loop ? exchange.loop
                                         : Range{read, exchange.loop.second};
    if (!is_place_steady(exchange,
                         reads_in_loop && read < exchange.call ? Range{read, exchange.call} : region))
      return false;
    Names carriers = {variable};
    for (std::size_t known = 0; known != carriers.size();) {
      known = carriers.size();
      for (std::size_t i = region.first; i < region.second; ++i) {
        if (!is_carrier(i, carriers) || is_in_exchange(i, exchange)) continue;
        const std::size_t assignment = assignment_before(i);
        if (assignment == none || assignment < region.first || is_verdict(assignment, exchange, carriers))
          continue;
        const std::string_view target = source_.spelling(assignment - 1);
        if (!is_local(target)) return false;
        carriers.emplace(target);
      }
    }
    for (std::size_t i = region.first; i < region.second; ++i) {
      // A way out past the exchange, on which the value would still be the one that was read.
      if (source_.is_any(i, {"goto", "return", "break"}) && i < exchange.call && i > read &&
          !(source_.is(i, "return") && i > first_call(exchange, read)))
        return false;
      if (is_carrier(i, carriers) && !is_harmless(i, exchange, carriers)) return false;
    }
    // What is made of the value may be stored only where the value is found.
    for (const Exchange& other : exchanges_)
      if (other.word == exchange.word && is_within(other.call, region) &&
          has_carrier(other.wanted, carriers) && !has_carrier(other.expected, carriers))
        return false;
    return has_carrier(exchange.expected, carriers);
  }

  bool has_carrier(const Range& range, const Names& carriers) const {
    for (std::size_t i = range.first; i < range.second; ++i)
      if (is_carrier(i, carriers)) return true;
    return false;
  }

  /// Of the exchanges of this one's word the first behind the read, or this one.
  std::size_t first_call(const Exchange& exchange, std::size_t read) const {
    for (const Exchange& other : exchanges_)
      if (other.word == exchange.word && other.call > read) return std::min(other.call, exchange.call);
    return exchange.call;
  }

  /// Whether token i stands in the arguments of this exchange, or of another one of the same word.
  bool is_in_exchange(std::size_t i, const Exchange& exchange) const {
    return std::ranges::any_of(exchanges_, [&](const Exchange& other) {
      return other.word == exchange.word && is_within(i, {other.place.first, other.wanted.second});
    });
  }

  bool is_carrier(std::size_t i, const Names& carriers) const {
    return source_.is_name(i) && !source_.is_any(i - 1, {".", "->", "::"}) &&
           carriers.count(source_.spelling(i)) != 0;
  }

  /// Whether nothing that the exchange's word is named by changes here.
  bool is_place_steady(const Exchange& exchange, const Range& range) const {
    for (std::size_t k = exchange.place.first; k < exchange.place.second; ++k) {
      if (!source_.is_name(k)) continue;
      for (std::size_t i = range.first; i < range.second; ++i)
        if (source_.is(i, source_.spelling(k)) && (source_.is_any(i + 1, {"=", "+=", "-="}) || is_stepped(i)))
          return false;
    }
    return true;
  }

  /// Whether `++` or `--` stands beside the name at i: of two tokens here.
  bool is_stepped(std::size_t i) const {
    for (const std::string_view sign : {"+", "-"})
      if ((source_.is(i + 1, sign) && source_.is(i + 2, sign)) ||
          (source_.is(i - 1, sign) && source_.is(i - 2, sign)))
        return true;
    return false;
  }

  bool is_harmless(std::size_t i, const Exchange& exchange, const Names& carriers) const {
    for (const Exchange& other : exchanges_) {
      if (other.word != exchange.word) continue;
      if (is_within(i, other.expected) || is_within(i, other.wanted)) return true;
      if (is_within(i, other.place)) return false;
    }
    // Set, or declared.
    if (source_.is(i + 1, "=") && !source_.is_any(i - 1, {"*", "&"})) return true;
    if (source_.is_any(i + 1, {";", ","}) && !source_.is(enclosing_open(i), "(") &&
        assignment_before(i) == none &&
        (source_.is_identifier(i - 1) ? !source_.is_any(i - 1, {"return", "throw"}) : source_.is(i - 1, ",")))
      return true;
    if (i > exchange.call && is_behind_success(i, exchange, carriers)) return true;
    if (is_in_comparison(i, exchange, carriers)) return true;
    const bool has_address_taken = source_.is(i - 1, "&") && is_prefix(i - 1);
    return assignment_before(i) != none && !has_address_taken && !is_stepped(i) && !source_.is(i + 1, "[");
  }

  /// Whether token i stands in a condition that compares with what the exchange has found.
  bool is_in_comparison(std::size_t i, const Exchange& exchange, const Names& carriers) const {
    for (std::size_t open = enclosing_open(i); source_.is(open, "("); open = enclosing_open(open)) {
      if (source_.is_any(open - 1, {"if", "while"})) return compares(open, exchange, carriers);
      if (!source_.is(open - 1, "for")) continue;
      const std::size_t first = next_semicolon(open + 1), second = next_semicolon(first + 1);
      return is_within(i, {first + 1, second}) && compares(Range{first + 1, second}, exchange, carriers);
    }
    return false;
  }

  std::size_t next_semicolon(std::size_t i) const {
    while (i < body_.close && !source_.is(i, ";")) i = behind(i);
    return i;
  }

  bool compares(std::size_t open, const Exchange& exchange, const Names& carriers) const {
    return compares(Range{open + 1, source_.match(open)}, exchange, carriers);
  }

  /// Whether the variable before the `=` gets nothing but whether the exchange has found what was expected.
  bool is_verdict(std::size_t assignment, const Exchange& exchange, const Names& carriers) const {
    std::size_t end = assignment + 1;
    while (end < body_.close && !source_.is_any(end, {";", ","})) end = behind(end);
    return compares(Range{assignment + 1, end}, exchange, carriers);
  }

  /// Whether the expression is a comparison of what was expected with what an exchange of the word has found.
  bool compares(const Range& expression, const Exchange& exchange, const Names& carriers) const {
    bool has_result = false, has_sign = false;
    for (std::size_t k = expression.first; k < expression.second; ++k) {
      const Exchange* here = nullptr; // an exchange that stands or whose result stands here
      for (const Exchange& other : exchanges_)
        if (other.word == exchange.word && expression.second > other.call &&
            (other.call == k || source_.is(k, other.result)))
          here = &other;
      if (here) {
        has_result = true;
        if (k == here->call) k = source_.match(k + 1);
      } else if (source_.is_any(k, {"==", "!="})) {
        has_sign = true;
      } else if (source_.is_identifier(k)) {
        if (!is_carrier(k, carriers) && !source_.is(k + 1, "(")) return false;
      } else if (!source_.is_any(k, {"(", ")", "="})) {
        return false;
      }
    }
    return has_result && has_sign;
  }

  /// Whether the statement of token i is `return ...` or the like, and runs only if the exchange has found what was
  /// expected: `if (found == old) return old;`
  bool is_behind_success(std::size_t i, const Exchange& exchange, const Names& carriers) const {
    std::size_t begin = i;
    while (begin > body_.open && !source_.is_any(begin - 1, {";", "{", "}", ")"})) --begin;
    if (!source_.is(begin, "return")) return false;
    std::size_t before = begin - 1;
    if (source_.is(before, "{")) --before;
    if (!source_.is(before, ")") || source_.match(before) == none) return false;
    const std::size_t open = source_.match(before);
    if (!source_.is(open - 1, "if") || !compares(open, exchange, carriers)) return false;
    for (std::size_t k = open; k < before; ++k)
      if (source_.is(k, "==")) return true;
    return false;
  }

  Source& source_;
  const Body& body_;
  const Names& functions_;
  std::vector<Exchange> exchanges_; ///< of the body, in its order
  std::set<std::size_t> marked_;
};

/// The names of a function's parameters; "" for one that has none.
std::vector<std::string> parameter_names(const Source& source, const Declaration& function) {
  std::vector<std::string> names;
  const std::size_t close = source.match(function.parameters);
  if (close == none) return names;
  for (const auto& [begin, end] : source.pieces(function.parameters, close))
    names.emplace_back(end > begin + 1 && source.is_name(end - 1) ? source.spelling(end - 1) : "");
  return names;
}

} // namespace

void mark_expected_values(Source& source, const std::vector<Body>& bodies) {
  bool exchanges = false;
  for (std::size_t i = 0; i < source.size() && !exchanges; ++i)
    exchanges = !source.is_shim(i) && source.is_any(i, {"atomicCAS", "atomicCAS_block", "atomicCAS_system"});
  if (!exchanges) return;
  Names functions;
  for (const Body& body : bodies)
    if (body.on_device && body.close != none && !source.is_shim(body.open) && body.function->name != none &&
        ExpectedValues(source, body, {}).is_exchange_of(parameter_names(source, *body.function)))
      functions.emplace(source.spelling(body.function->name));
  for (const Body& body : bodies)
    if (body.on_device && body.close != none && !source.is_shim(body.open))
      ExpectedValues(source, body, functions).mark();
}

} // namespace simt::compiler
