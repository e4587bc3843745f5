#include "simt/report/loop_turns.hpp"

#include "simt/report/catalogue.hpp"
#include "simt/report/code_lines.hpp"
#include "text/words.hpp"

namespace simt {

namespace {

using warpbook::find_word, warpbook::is_part_of_word, warpbook::words_in;

/// The value that an integer expression has in one thread: sums and products of numbers, indices and extents in x, and of
/// variables whose values above the loop are such expressions. Nothing where it is anything else.
class ThreadValue {
public:
  ThreadValue(const Finding& finding, const ThreadId& thread, const std::string& above)
      : finding_(finding), thread_(thread), above_(above) {}

  std::optional<std::int64_t> of(std::string_view expression, int depth = 0) const {
    Reader reader{expression, depth};
    const auto value = sum(reader);
    reader.skip_spaces();
    return reader.rest.empty() ? value : std::nullopt;
  }

private:
  struct Reader {
    std::string_view rest;
    int depth;
    void skip_spaces() { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); }
    bool take(char c) {
      skip_spaces();
      if (!rest.starts_with(c)) return false;
      rest.remove_prefix(1);
      return true;
    }
    std::string_view take_word() {
      skip_spaces();
      std::size_t end = 0;
      while (end < rest.size() && (is_part_of_word(rest[end]) || rest[end] == '.')) ++end;
      const std::string_view word = rest.substr(0, end);
      rest.remove_prefix(end);
      return word;
    }
  };

  std::optional<std::int64_t> sum(Reader& reader) const {
    auto value = product(reader);
    while (value) {
      const bool adds = reader.take('+');
      if (!adds && !reader.take('-')) return value;
      const auto other = product(reader);
      value = other ? std::optional(adds ? *value + *other : *value - *other) : std::nullopt;
    }
    return value;
  }

  std::optional<std::int64_t> product(Reader& reader) const {
    auto value = factor(reader);
    while (value && reader.take('*')) {
      const auto other = factor(reader);
      value = other ? std::optional(*value * *other) : std::nullopt;
    }
    return value;
  }

  std::optional<std::int64_t> factor(Reader& reader) const {
    if (reader.take('(')) {
      const auto value = sum(reader);
      return reader.take(')') ? value : std::nullopt;
    }
    const std::string word(reader.take_word());
    if (word == "threadIdx.x") return thread_.thread[0];
    if (word == "blockIdx.x") return thread_.block[0];
    if (word == "blockDim.x") return finding_.block[0];
    if (word == "gridDim.x") return finding_.grid[0];
    if (word == "warpSize") return lanes_per_warp;
    if (word.empty() || word.find('.') != word.npos) return std::nullopt;
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) return variable(word, reader.depth);
    const std::size_t end = std::min(word.find_first_not_of("0123456789"), word.size());
    if (end > 9 || word.find_first_not_of("uUlL", end) != word.npos) return std::nullopt;
    return std::stoll(word.substr(0, end));
  }

  /// As it is initialised, if it is never set again.
  std::optional<std::int64_t> variable(const std::string& name, int depth) const {
    if (depth > 3) return std::nullopt;
    std::optional<std::int64_t> value;
    for (std::size_t at = find_word(above_, name); at != above_.npos; at = find_word(above_, name, at + 1)) {
      const std::size_t next = above_.find_first_not_of(" \t", at + name.size());
      if (next == above_.npos || above_[next] != '=' || above_.substr(next, 2) == "==") continue;
      if (value) return std::nullopt;
      const std::size_t end = above_.find_first_of(",;", next);
      value = of(std::string_view(above_).substr(next + 1, end - next - 1), depth + 1);
      if (!value) return std::nullopt;
    }
    return value;
  }

  const Finding& finding_;
  const ThreadId& thread_;
  const std::string& above_;
};

/// The parts of `for (int i = first; ...; i += step)`.
struct Head {
  std::string variable, first, step;
};

std::optional<Head> head_in(const std::string& code) {
  const std::size_t loop = find_word(code, "for"), open = code.find('(', std::min(loop, code.size()));
  const std::size_t first = code.find(';', open),
                    second = code.find(';', std::min(first, code.size() - 1) + 1);
  if (open == code.npos || first == code.npos || second == code.npos) return std::nullopt;
  std::size_t close = open;
  for (int depth = 0; close < code.size(); ++close) {
    depth += code[close] == '(' ? 1 : code[close] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  const std::string begin = code.substr(open + 1, first - open - 1);
  std::string step = code.substr(second + 1, close - second - 1);
  const std::size_t sets = begin.find('=');
  if (sets == begin.npos || step.find(',') != step.npos) return std::nullopt;
  const std::vector<std::string> declared = words_in(begin.substr(0, sets)), in_step = words_in(step);
  if (declared.empty() || in_step.empty() || in_step[0] != declared.back()) return std::nullopt;
  Head head{declared.back(), begin.substr(sets + 1), "1"};
  if (const std::size_t adds = step.find("+="); adds != step.npos) {
    const std::size_t from = step.find_first_not_of(" \t", adds + 2);
    if (from == step.npos) return std::nullopt;
    head.step = step.substr(from, step.find_last_not_of(" \t") + 1 - from);
  } else if (step.find("++") == step.npos) {
    return std::nullopt;
  }
  return head;
}

/// Whether the line has an element whose whole index is the variable, and not the index of another one's index.
bool is_index(const std::string& line, const std::string& variable) {
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (depth == 0 && line.compare(i, variable.size() + 2, '[' + variable + ']') == 0) return true;
    depth += line[i] == '[' ? 1 : line[i] == ']' ? -1 : 0;
  }
  return false;
}

} // namespace

std::optional<SharedTurns> shared_turns(const Finding& race, const SourceLine& head_line,
                                        const std::string& line, Symbolizer& symbolizer) {
  const bool is_flat = race.grid[1] * race.grid[2] * race.block[1] * race.block[2] == 1;
  if (!is_flat || race.element.size() != 1 || race.participants.size() != 2) return std::nullopt;
  const auto head = head_in(without_comment(symbolizer.excerpt(head_line)));
  if (!head || !is_index(line, head->variable)) return std::nullopt;
  const std::string above = kernel_until({head_line.file, head_line.line - 1}, symbolizer);
  SharedTurns found{.variable = head->variable, .step = head->step};
  std::array<std::int64_t, 2> firsts{};
  for (std::size_t i = 0; i < 2; ++i) {
    const ThreadId thread = thread_of(party(race, i));
    const auto first = ThreadValue(race, thread, above).of(head->first);
    const auto step = ThreadValue(race, thread, above).of(head->step);
    if (!first || !step || *step <= 0) return std::nullopt;
    const std::int64_t way = race.element[0] - *first;
    if (way < 0 || way % *step != 0) return std::nullopt;
    firsts[i] = *first;
    found.value = static_cast<std::uint64_t>(*step);
    found.turns[i] = static_cast<std::uint64_t>(way / *step) + 1;
  }
  ThreadId next = thread_of(party(race, 0));
  next.block[0] += 1;
  found.of_grid = ThreadValue(race, next, above).of(head->first) != firsts[0];
  found.threads = found.of_grid ? volume(race.grid) * volume(race.block) : volume(race.block);
  if (found.value >= found.threads || found.turns[0] == found.turns[1]) return std::nullopt;
  return found;
}

} // namespace simt
