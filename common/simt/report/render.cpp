#include "simt/report/symbolizer.hpp"

#include "simt/report/catalogue.hpp"
#include "simt/report/say.hpp"
#include "simt/report/wording.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace simt {

namespace {

using warpbook::find_word, warpbook::is_part_of_word, warpbook::words_in;

/// All lines of what a participant did: several where it wrote.
std::vector<SourceLine> sources_of(const Participant& participant, Symbolizer& symbolizer) {
  if (participant.line == 0 && participant.access == Access::write)
    return symbolizer.stores(participant.where);
  const auto source = source_of(participant, symbolizer);
  return source ? std::vector{*source} : std::vector<SourceLine>();
}

bool is_barrier(const std::string& text) {
  const std::size_t comment = text.find("//");
  const std::string code = text.substr(0, comment);
  for (const std::string_view name : {"__syncthreads", ".sync"})
    if (const std::size_t begin = code.find(name); begin != code.npos) {
      const std::size_t behind = code.find_first_not_of("_abcdefghijklmnopqrstuvwxyz ", begin + name.size());
      if (behind != code.npos && code[behind] == '(') return true; // it is called
    }
  return false;
}

std::string without_comment(const std::string& text) { return text.substr(0, text.find("//")); }

/// A condition that compares, in a line of code.
struct Comparison {
  bool leads_elsewhere =
      false;            ///< to another line, by a jump, or nowhere: `if (i >= n) return;`, `if (i >= n) ;`
  bool is_open = false; ///< what it is about begins behind its line: `if (i < n)`, `if (i < n) {`
  bool is_loop = false;
};

/// Whether there is `<`, `<=`, `>` or `>=` in an expression, beside shifts, arrows and the brackets of templates.
bool has_comparison(std::string_view code) {
  for (std::size_t i = code.find_first_of("<>"); i != code.npos; i = code.find_first_of("<>", i + 1)) {
    const char before = i == 0 ? ' ' : code[i - 1], behind = i + 1 < code.size() ? code[i + 1] : ' ';
    if (before == '<' || before == '>' || before == '-' || behind == '<' || behind == '>') continue;
    const bool may_be_bracket = code[i] == '<' && before != ' ' && code.find('>', i) != code.npos;
    const bool may_close = code[i] == '>' && code.substr(0, i).find('<') != code.npos;
    if (behind == '=' || (!may_be_bracket && !may_close)) return true;
  }
  return false;
}

/// What stands between the brackets behind `array`, or behind any name where the line has no such array.
std::string index_in(const std::string& code, const std::string& array) {
  std::size_t open = code.find(array + '[');
  while (open != code.npos && open > 0 && is_part_of_word(code[open - 1]))
    open = code.find(array + '[', open + 1);
  open = open == code.npos || array.empty() ? code.find('[') : open + array.size();
  if (open == code.npos) return "";
  std::size_t close = open;
  for (int depth = 0; close < code.size(); ++close) {
    depth += code[close] == '[' ? 1 : code[close] == ']' ? -1 : 0;
    if (depth == 0) break;
  }
  return code.substr(open + 1, close - open - 1);
}

/// Whether code that begins a kernel declares the variable: a type stands before it.
bool declares(const std::string& code, const std::string& variable) {
  for (std::size_t at = find_word(code, variable); at != code.npos; at = find_word(code, variable, at + 1)) {
    if (at == 0) continue;
    const std::size_t before = code.find_last_not_of(" \t", at - 1);
    if (before != code.npos && before + 1 < at && is_part_of_word(code[before])) return true;
  }
  return false;
}

/// Whether a loop's comparison bounds the index: of more than the loop's variable only if the bound is the kernel's own. A loop
/// over a tile of fixed size does not bound where the tile lies.
bool bounds_index(const std::string& loop, const std::string& index, const std::string& kernel) {
  const std::size_t first = loop.find(';'), second = loop.find(';', first + 1);
  const bool has_parts = loop.find("for") != loop.npos && second != loop.npos;
  const std::string condition = has_parts ? loop.substr(first + 1, second - first - 1) : loop;
  const std::vector<std::string> in_index = words_in(index), compared = words_in(condition);
  const auto is_in_index = [&](const std::string& word) {
    return std::ranges::find(in_index, word) != in_index.end();
  };
  if (!std::ranges::any_of(compared, is_in_index)) return false;
  return in_index.size() == 1 || std::ranges::any_of(compared, [&](const std::string& word) {
           return !is_in_index(word) && declares(kernel, word);
         });
}

std::optional<Comparison> comparison_in(const std::string& code) {
  for (const std::string_view word : {"if", "for", "while"}) {
    const std::size_t open = code.find('(', std::min(find_word(code, word), code.size()));
    if (open == code.npos) continue;
    std::size_t close = open;
    for (int depth = 0; close < code.size(); ++close) {
      depth += code[close] == '(' ? 1 : code[close] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    if (!has_comparison(std::string_view(code).substr(open, close - open))) continue;
    const std::string rest = close < code.size() ? code.substr(close + 1) : "";
    const std::size_t first = rest.find_first_not_of(" \t\r");
    const auto jumps = [&](const char* how) { return rest.find(how) != rest.npos; };
    const bool is_empty = first != rest.npos && rest[first] == ';';
    return Comparison{is_empty || jumps("return") || jumps("continue") || jumps("break"),
                      first == rest.npos || (rest[first] == '{' && rest.find('}') == rest.npos),
                      word != "if"};
  }
  return std::nullopt;
}

/// The code of a kernel from its name to the line.
std::string kernel_until(const SourceLine& line, Symbolizer& symbolizer) {
  std::string text;
  for (unsigned back = 0; back < std::min(100u, line.line); ++back) {
    const std::string code = without_comment(symbolizer.excerpt({line.file, line.line - back}));
    text = code + '\n' + text;
    if (code.find("__global__") != code.npos || code.find("__device__") != code.npos) break;
  }
  return text;
}

bool is_loop(const std::string& code) {
  return std::ranges::any_of(words_in(code), [](const std::string& word) {
    return word == "for" || word == "while" || word == "do";
  });
}

/// Whether what follows the parentheses of a loop's head has no end on that line: the loop's body is the next statement.
bool has_body_below(const std::string& head) {
  int open = 0;
  for (std::size_t i = head.find('('); i < head.size(); ++i) {
    if (head[i] == '(') ++open;
    if (head[i] == ')' && --open == 0) return head.find(';', i) == head.npos;
  }
  return false;
}

/// Whether the line stands in a loop, and neither in this one nor in one around it is a barrier, by the braces of the kernel.
bool is_in_loop_without_barrier(const SourceLine& line, Symbolizer& symbolizer) {
  constexpr unsigned most = 100;
  const auto code_at = [&](unsigned number) {
    return without_comment(symbolizer.excerpt({line.file, number}));
  };
  const auto opened = [](const std::string& code) {
    return static_cast<int>(std::ranges::count(code, '{') - std::ranges::count(code, '}'));
  };
  std::optional<unsigned> outermost;
  int closed =
      0; // blocks above the line that have ended, by the ends of those whose beginnings are still to come
  bool is_statement = true; // nothing but the beginning of the line's own statement comes below
  bool is_block = false;    // a line with nothing but an opening brace comes below
  for (unsigned number = line.line; number > 0 && line.line - number < most; --number) {
    const std::string code = code_at(number);
    const bool is_own = number == line.line;
    const bool encloses =
        is_own || (closed == 0 && (opened(code) > 0 || is_block || (is_statement && has_body_below(code))));
    if (is_loop(code) && encloses) outermost = number;
    if (code.find("__global__") != code.npos || code.find("__device__") != code.npos) break;
    if (is_own) continue;
    is_block = closed == 0 && code.find_first_not_of(" \t\r{") == code.npos && opened(code) == 1;
    is_statement = is_statement && code.find_first_of(";}") == code.npos;
    closed = std::max(0, closed - opened(code));
  }
  if (!outermost) return false;
  int open = 0;
  for (unsigned number = *outermost; number - *outermost < 2 * most; ++number) {
    const std::string code = code_at(number);
    if (is_barrier(code)) return false;
    open += opened(code);
    if (number >= line.line && open <= 0) break;
  }
  return true;
}

/// Of a race within a block whose cure is a barrier between the accesses.
bool is_one_line_of_a_loop(const Finding& race, Symbolizer& symbolizer) {
  if (race.id != "shared-race" && race.id != "global-race") return false;
  if (race.participants.size() != 2 || !within_block(race) || is_one_statement(race) ||
      lacks_a_barrier_call(race))
    return false;
  const auto first = source_of(race.participants[0], symbolizer);
  const auto second = source_of(race.participants[1], symbolizer);
  return first && second && first->file == second->file && first->line == second->line &&
         is_in_loop_without_barrier(*first, symbolizer);
}

const AcrossBarrier& across_barrier_of(const Finding& race) {
  for (const AcrossBarrier& known : across_barrier)
    if (known.cause == race.cause) return known;
  return across_barrier[std::size(across_barrier) - 1]; // of races that have no cause
}

} // namespace

bool barrier_between(const Finding& diagnostic, Symbolizer& symbolizer) {
  if (diagnostic.id != "shared-race" || diagnostic.participants.size() != 2) return false;
  const auto& one = diagnostic.participants[0].thread;
  const auto& other = diagnostic.participants[1].thread;
  if (one && other && one->block != other->block) return false;
  auto first = source_of(diagnostic.participants[0], symbolizer);
  auto second = source_of(diagnostic.participants[1], symbolizer);
  if (!first || !second || first->file != second->file) return false;
  const auto [low, high] = std::minmax(first->line, second->line);
  for (unsigned line = low + 1; line < high && line < low + 100; ++line)
    if (is_barrier(symbolizer.excerpt({first->file, line}))) return true;
  return false;
}

std::optional<SourceLine> comparison_before(const Finding& diagnostic, Symbolizer& symbolizer) {
  if (!diagnostic.get<Outside>() || is_below_array(diagnostic) || diagnostic.space != Space::global ||
      diagnostic.get<fact::IndexBits>() || diagnostic.participants.empty())
    return std::nullopt;
  const auto access = source_of(diagnostic.participants.front(), symbolizer);
  if (!access) return std::nullopt;
  const std::string own = without_comment(symbolizer.excerpt(*access));
  if (comparison_in(own) || has_comparison(std::string_view(own).substr(0, own.find('?') + 1))) return access;
  const std::string index = index_in(own, diagnostic.variable);
  constexpr unsigned most = 30;
  bool is_next = true; // nothing but spaces and comments between
  for (int closed = 0, back = 1; static_cast<unsigned>(back) < std::min(most, access->line); ++back) {
    const SourceLine line{access->file, access->line - static_cast<unsigned>(back)};
    const std::string code = without_comment(symbolizer.excerpt(line));
    if (code.find("__global__") != code.npos || code.find("__device__") != code.npos) break;
    const auto count = [&](char c) { return static_cast<int>(std::ranges::count(code, c)); };
    const bool opens = count('{') > count('}') && closed == 0;
    if (const auto found = comparison_in(code);
        found && closed == 0 && (found->leads_elsewhere || (found->is_open && (opens || is_next))) &&
        (!found->is_loop || bounds_index(code, index, kernel_until(line, symbolizer))))
      return line;
    closed = std::max(0, closed + count('}') - count('{'));
    is_next = is_next && code.find_first_not_of(" \t\r") == code.npos;
  }
  return std::nullopt;
}

std::optional<SourceLine> source_of(const Participant& participant, Symbolizer& symbolizer) {
  if (participant.line != 0) return SourceLine{participant.file, participant.line};
  return symbolizer.locate(participant.where);
}

std::string quoted(const SourceLine& line, Symbolizer& symbolizer) {
  const std::string text = symbolizer.excerpt(line);
  return line.file.substr(line.file.rfind('/') + 1) + ':' + std::to_string(line.line) +
         (text.empty() ? "" : " | " + text);
}

std::string one_store(const std::vector<SourceLine>& lines) {
  std::string numbers;
  for (std::size_t i = 0; i < lines.size(); ++i)
    numbers = i == 0                  ? std::to_string(lines[i].line)
              : i + 1 == lines.size() ? say("{numbers} and {last}", numbers, lines[i].line)
                                      : numbers + ", " + std::to_string(lines[i].line);
  return say("(the compiler makes one store of lines {numbers})", numbers);
}

void merge_by_line(std::vector<Finding>& diagnostics, Symbolizer& symbolizer) {
  using Lines = std::vector<std::pair<std::string, unsigned>>;
  std::map<std::tuple<std::string, std::string, Lines>, std::size_t> index_of;
  std::vector<Finding> merged;
  for (Finding& diagnostic : diagnostics) {
    Lines lines;
    for (const Participant& participant : diagnostic.participants) {
      auto source = source_of(participant, symbolizer);
      // What has no line is told apart by its address.
      lines.push_back(
          source ? std::pair(source->file, source->line)
                 : std::pair(participant.where.module + '+' + std::to_string(participant.where.offset), 0u));
    }
    std::sort(lines.begin(), lines.end());
    auto [known, is_new] = index_of.try_emplace({diagnostic.id, diagnostic.kernel, lines}, merged.size());
    if (is_new) {
      merged.push_back(std::move(diagnostic));
      continue;
    }
    Finding& first = merged[known->second];
    const std::uint64_t count = first.count + diagnostic.count;
    const std::string cause = first.cause.empty() ? diagnostic.cause : first.cause;
    // The compiler may have made several copies of one line, so that threads do the same at different addresses.
    const bool alike = is_alike(first) || (is_alike(diagnostic) && lines.front() == lines.back());
    // Of a race, threads of two warps are the better witnesses: what orders lanes need not order warps.
    if (diagnostic.id.ends_with("-race") && within_warp(first) && !within_warp(diagnostic))
      first = std::move(diagnostic);
    first.count = count;
    first.cause = cause;
    if (alike && !is_alike(first))
      std::ranges::replace(first.facts, fact::Any(fact::Alike{}), fact::Any(fact::Alike{true}));
  }
  diagnostics = std::move(merged);
}

std::string describe(const ThreadId& thread) {
  return say("thread {thread} of block {block}, warp {warp} lane {lane}", triple(thread.thread),
             triple(thread.block), thread.warp, thread.lane);
}

std::vector<ReportLine> report_lines(const Finding& diagnostic, Symbolizer& symbolizer,
                                     const Telling& telling) {
  std::vector<ReportLine> lines;
  const auto add = [&](const std::string& text, ReportLine::Kind kind = ReportLine::Kind::finding) {
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part);) lines.push_back({kind, part});
  };
  const auto quote = [&](const SourceLine& line) {
    lines.push_back({ReportLine::Kind::source, "      " + quoted(line, symbolizer), line});
  };
  const auto note = [&](const std::string& text) { add("  " + say("note: {text}", text)); };
  add(say("{is_error?error|warning}: {id}{has_kernel? in kernel {kernel}}{is_repeated? ({count} times; this "
          "is the first)}",
          diagnostic.severity == Severity::error, diagnostic.id, !diagnostic.kernel.empty(),
          diagnostic.kernel, diagnostic.count > 1, diagnostic.count));
  if (telling.message) add("  " + message_of(diagnostic, telling.element));
  for (std::size_t i = 0; i < diagnostic.participants.size(); ++i) {
    const Participant& participant = diagnostic.participants[i];
    add("  - " + (participant.thread ? describe(*participant.thread) : say("host code")) + ' ' +
        action_of(diagnostic, i));
    const std::vector<SourceLine> sources = sources_of(participant, symbolizer);
    for (const SourceLine& source : sources) quote(source);
    if (sources.size() > 1) add("      " + one_store(sources));
  }
  if (telling.asked_at) {
    add("  - " + say("host code has launched {launch} from here",
                     launch_text(diagnostic.kernel, diagnostic.launch.value_or(HostLaunch{}))));
    quote(*telling.asked_at);
  }
  for (const std::string& text : notes_of(diagnostic)) note(text);
  std::string cure = cure_of(diagnostic);
  if (!telling.advice && barrier_between(diagnostic, symbolizer)) {
    const AcrossBarrier& across = across_barrier_of(diagnostic);
    note(filled(across.note, diagnostic));
    cure = filled(across.cure, diagnostic);
  } else if (!telling.advice && is_one_line_of_a_loop(diagnostic, symbolizer)) {
    note(filled(one_line_of_a_loop, diagnostic));
    cure = filled(barrier_at_end_of_turn, diagnostic);
  }
  if (const auto comparison = comparison_before(diagnostic, symbolizer))
    cure = say("line {number}, `{code}`, {lets_through}", comparison->line, symbolizer.excerpt(*comparison),
               filled(lets_through, diagnostic));
  if (telling.advice) cure = *telling.advice;
  if (!cure.empty()) add("  " + say("try: {cure}", cure), ReportLine::Kind::advice);
  return lines;
}

std::string render(const Finding& diagnostic, Symbolizer& symbolizer, const Telling& telling) {
  std::string text;
  for (const ReportLine& line : report_lines(diagnostic, symbolizer, telling)) text += line.text + '\n';
  return text;
}

} // namespace simt
