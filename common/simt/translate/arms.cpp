#include "simt/translate/passes.hpp"

#include <algorithm>

namespace simt::compiler {
namespace {

/// What the statements of an arm leave behind: the lines of the last assignment to each place, by how the place is spelt.
using Stores = std::map<std::string, std::set<std::uint32_t>>;

/// The assignment of the statement [begin, end): its operator, or `none`.
std::size_t assignment(const Source& source, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; i = source.behind(i))
    if (source.is_any(i, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})) return i;
  return none;
}

/// Finds the branches of one body whose arms assign to one place.
class Arms {
public:
  explicit Arms(const Source& source) : source_(source) {}

  void read(std::size_t from, std::size_t to) {
    Stores unused;
    block(from, to, unused, 0);
  }

  /// A line "8 10 file" for each branch and place. Of branches in one another the outer one comes last.
  const std::string& text() const { return text_; }

private:
  void block(std::size_t i, std::size_t to, Stores& stores, unsigned nesting) {
    while (i < to && nesting < 100) {
      const std::size_t behind = behind_statement(source_, i, to);
      if (behind == none) return;
      statement(i, behind, stores, nesting);
      i = behind;
    }
  }

  void statement(std::size_t i, std::size_t behind, Stores& stores, unsigned nesting) {
    if (source_.is(i, "{")) return block(i + 1, behind - 1, stores, nesting + 1);
    if (source_.is(i, "if") && !source_.opens(i + 1)) return; // of an `if constexpr` one arm is all there is
    if (source_.is(i, "if")) return branch(i, behind, stores, nesting);
    if (source_.is(i, "switch")) return cases(i, behind, stores, nesting);
    if (source_.is_any(i, {"for", "while", "do"})) {
      std::size_t body = i + 1;
      if (!source_.is(i, "do")) body = source_.behind(body);
      Stores repeated; // no compiler moves them out of the loop
      return block(body, behind, repeated, nesting + 1);
    }
    const std::size_t is = assignment(source_, i, behind);
    const bool is_declared = source_.is_identifier(i) && source_.is_identifier(i + 1);
    if (is != none && is > i && !is_declared)
      stores[source_.flat(i, is)] = {source_.stream().tokens[is].line};
  }

  void branch(std::size_t i, std::size_t behind, Stores& stores, unsigned nesting) {
    const std::size_t then = source_.behind(i + 1), otherwise = behind_statement(source_, then, behind);
    std::vector<Stores> arms(1);
    block(then, otherwise, arms[0], nesting + 1);
    if (otherwise < behind) block(otherwise + 1, behind, arms.emplace_back(), nesting + 1);
    join(arms, i, stores);
  }

  void cases(std::size_t i, std::size_t behind, Stores& stores, unsigned nesting) {
    std::vector<Stores> arms;
    const std::size_t open = source_.behind(i + 1);
    if (!source_.is(open, "{")) return;
    for (std::size_t k = open + 1; k < behind - 1;) {
      if (source_.is_any(k, {"case", "default"})) {
        while (k < behind - 1 && !source_.is(k, ":")) k = source_.behind(k);
        arms.emplace_back();
        ++k;
        continue;
      }
      const std::size_t next = behind_statement(source_, k, behind - 1);
      if (next == none || arms.empty()) return;
      statement(k, next, arms.back(), nesting + 1);
      k = next;
    }
    join(arms, i, stores);
  }

  /// After a branch that stands at i: what any of its arms leaves, and a line of text for what several assign to.
  void join(const std::vector<Stores>& arms, std::size_t i, Stores& stores) {
    Stores joined;
    std::map<std::string, unsigned> times;
    for (const Stores& arm : arms) {
      for (const auto& [place, lines] : arm) {
        joined[place].insert(lines.begin(), lines.end());
        ++times[place];
      }
    }
    for (const auto& [place, lines] : joined) {
      stores[place] = lines;
      if (times[place] < 2 || lines.size() < 2) continue;
      for (const std::uint32_t line : lines) text_ += std::to_string(line) + ' ';
      const Token& token = source_.stream().tokens[i];
      text_ += source_.stream().files[token.file].literal + "\\n";
    }
  }

  const Source& source_;
  std::string text_;
};

} // namespace

void record_arms(Source& source, const std::vector<Body>& bodies) {
  if (!source.balanced() || source.size() == 0) return;
  std::string text;
  for (const Body& body : bodies) {
    if (!body.on_device || body.close == none || source.is_shim(body.open)) continue;
    Arms arms(source);
    arms.read(body.open + 1, body.close);
    text += arms.text();
  }
  if (!text.empty()) source.leave_in_module("simt_arms", text);
}

} // namespace simt::compiler
