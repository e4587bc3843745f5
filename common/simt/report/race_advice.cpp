#include "simt/report/race_advice.hpp"

#include "simt/report/catalogue.hpp"
#include "simt/report/code_lines.hpp"
#include "simt/report/element_advice.hpp"
#include "simt/report/loop_turns.hpp"
#include "simt/report/say.hpp"
#include "simt/report/wording.hpp"
#include "text/words.hpp"

#include <algorithm>

namespace simt {

namespace {

using warpbook::words_in;

/// Whether a barrier is called in a line: one of a block, or where lanes of a warp are enough, also one of these.
bool is_barrier(const std::string& text, bool within_warp) {
  const std::string code = without_comment(text);
  for (const std::string_view name : {"__syncthreads", ".sync", "__syncwarp"}) {
    if (name == "__syncwarp" && !within_warp) continue;
    if (const std::size_t begin = code.find(name); begin != code.npos) {
      const std::size_t next = code.find_first_not_of("_abcdefghijklmnopqrstuvwxyz ", begin + name.size());
      if (next != code.npos && code[next] == '(') return true; // it is called
    }
  }
  return false;
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

constexpr unsigned most_lines = 100; ///< that are looked at above a line, and twice as many of a loop

int opened(const std::string& code) {
  return static_cast<int>(std::ranges::count(code, '{') - std::ranges::count(code, '}'));
}

/// The first lines of the loops that the line is in, from the innermost outwards, by the braces of the kernel.
std::vector<unsigned> loops_around(const SourceLine& line, Symbolizer& symbolizer) {
  std::vector<unsigned> heads;
  int closed =
      0; // blocks above the line that have ended, by the ends of those whose beginnings are still to come
  bool is_statement = true; // nothing but the beginning of the line's own statement comes below
  bool is_block = false;    // a line with nothing but an opening brace comes below
  for (unsigned number = line.line; number > 0 && line.line - number < most_lines; --number) {
    const std::string code = without_comment(symbolizer.excerpt({line.file, number}));
    const bool is_own = number == line.line;
    const bool encloses =
        is_own || (closed == 0 && (opened(code) > 0 || is_block || (is_statement && has_body_below(code))));
    if (is_loop(code) && encloses) heads.push_back(number);
    if (code.find("__global__") != code.npos || code.find("__device__") != code.npos) break;
    if (is_own) continue;
    is_block = closed == 0 && code.find_first_not_of(" \t\r{") == code.npos && opened(code) == 1;
    is_statement = is_statement && code.find_first_of(";}") == code.npos;
    closed = std::max(0, closed - opened(code));
  }
  return heads;
}

/// The last line of a loop that `line` is in, and whether there is a barrier in the loop.
struct LoopEnd {
  unsigned last = 0;
  bool has_barrier = false;
};
LoopEnd end_of_loop(unsigned head, const SourceLine& line, bool within_warp, Symbolizer& symbolizer) {
  LoopEnd end;
  int open = 0;
  for (end.last = head; end.last - head < 2 * most_lines; ++end.last) {
    const std::string code = without_comment(symbolizer.excerpt({line.file, end.last}));
    end.has_barrier |= is_barrier(code, within_warp);
    open += opened(code);
    if (end.last >= line.line && open <= 0) break;
  }
  return end;
}

/// Whether both lines are in one loop, and no barrier is in the innermost such one; of one line, in any.
bool are_in_loop_without_barrier(SourceLine first, SourceLine second, bool within_warp,
                                 Symbolizer& symbolizer) {
  if (first.line > second.line) std::swap(first, second);
  bool found = false;
  for (const unsigned head : loops_around(second, symbolizer)) {
    const LoopEnd end = end_of_loop(head, second, within_warp, symbolizer);
    if (head > first.line || end.last < second.line) continue;
    if (end.has_barrier) return false;
    if (first.line != second.line) return true;
    found = true;
  }
  return found;
}

const AcrossBarrier& across_barrier_of(const Finding& race) {
  for (const AcrossBarrier& known : across_barrier)
    if (known.cause == race.cause) return known;
  return across_barrier[std::size(across_barrier) - 1]; // of races that have no cause
}

/// Whether the condition of an `if` or `while` stores with =, without the second parentheses that say that it is meant.
bool stores_in_condition(const std::string& code) {
  return std::ranges::any_of(conditions_in(code), [](const std::string& condition) {
    if (condition.find(';') != condition.npos) return false;
    const std::vector<Assignment> all = assignments_in(condition);
    return std::ranges::any_of(all, [&](const Assignment& each) {
      return each.sign == "=" && !each.target.starts_with("const") &&
             condition.starts_with(each.target + '=');
    });
  });
}

/// A thread of another block waits for a flag before it reads, and the flag is set by a thread that need not be the one which
/// wrote: the text that says what has to come before that. Null elsewhere.
const char* before_flag(const Finding& race, Symbolizer& symbolizer) {
  if (race.id != "global-race" || within_block(race) || has_atomic(race)) return nullptr;
  std::optional<SourceLine> read, written;
  for (const Participant& who : race.participants)
    (who.access == Access::read ? read : written) = source_of(who, symbolizer);
  if (!read || !written || read->file != written->file) return nullptr;
  constexpr unsigned most = 8;
  const std::string waiting = without_spaces(
      code_of({read->file, read->line - std::min(read->line - 1, most)}, read->line, symbolizer));
  std::string writing = without_spaces(code_of(*written, written->line + most, symbolizer));
  const std::size_t asks = writing.find("threadIdx.x==0"), sets_for_all = writing.find("threadIdx.x)");
  const std::size_t leader = std::min(asks, sets_for_all);
  if (leader == writing.npos || writing.substr(0, leader).find("__syncthreads") != writing.npos)
    return nullptr;
  const std::string set = writing.substr(leader, writing.find('}', leader) - leader);
  for (std::size_t at = waiting.find("while("); at != waiting.npos; at = waiting.find("while(", at + 1)) {
    const std::string condition = waiting.substr(at + 6, waiting.find('\n', at) - at - 6);
    if (condition.find("atomicCAS") != condition.npos || condition.find("atomicExch") != condition.npos)
      continue;
    for (const std::string& name : words_in(condition))
      if (!name.starts_with("atomic") && !name.starts_with("threadIdx") && has_expression(set, name) &&
          name.find_first_not_of("0123456789") != name.npos && name != "x")
        return barrier_before_flag;
  }
  return nullptr;
}

/// That the launch has passed the memory twice, where the race is of what one parameter writes and another one reads.
std::string passed_twice(const Finding& race, Symbolizer& symbolizer) {
  if (!race.launch || !race.launch->same_memory || !has_lone_writers(race)) return "";
  const auto [one, other] = *race.launch->same_memory;
  if (one >= race.launch->arguments.size() || race.launch->arguments[one].variable != race.variable)
    return "";
  std::optional<SourceLine> line; // the innermost call may be in a header of the simulator
  for (const CodeAddress& caller : race.launch->callers)
    if (!line) line = symbolizer.locate(caller);
  if (!line) return "";
  return say(
      "arguments {one} and {other} of the launch in line {line} are the same memory, {variable}: what the "
      "kernel writes through one parameter it reads through the other",
      one + 1, other + 1, line->line, memory(race));
}

/// `buf[cur]` in a line, without spaces, where a line of the loop sets `cur` to the other one of 0 and 1.
std::string half_in(const std::string& code, const std::string& loop) {
  for (std::size_t open = code.find('['); open != code.npos; open = code.find('[', open + 1)) {
    const std::size_t close = code.find(']', open);
    if (close == code.npos) break;
    const std::string index = code.substr(open + 1, close - open - 1);
    std::size_t begin = open;
    while (begin > 0 && warpbook::is_part_of_word(code[begin - 1])) --begin;
    if (begin == open || index.empty() || !std::ranges::all_of(index, warpbook::is_part_of_word)) continue;
    for (const Assignment& each : assignments_in(loop))
      if (each.target == index &&
          ((each.sign == "^=" && each.value == "1") ||
           (each.sign == "=" && (each.value == "1-" + index || each.value == "!" + index ||
                                 each.value == index + "^1" || each.value == "(" + index + "+1)%2"))))
        return code.substr(begin, close + 1 - begin);
  }
  return "";
}

/// Of two halves of a buffer that take turns, both threads use the same one in one turn.
RaceAdvice halves_advice(const Finding& race, const SourceLine& first, const SourceLine& second,
                         Symbolizer& symbolizer) {
  if (!within_block(race) || first.file != second.file || first.line == second.line || has_two_writes(race))
    return {};
  const SourceLine& last = first.line < second.line ? second : first;
  for (const unsigned head : loops_around(last, symbolizer)) {
    if (head > std::min(first.line, second.line)) continue;
    const LoopEnd end = end_of_loop(head, last, false, symbolizer);
    const std::string loop = code_of({last.file, head}, end.last, symbolizer);
    const auto half_of = [&](const SourceLine& line) {
      return half_in(without_spaces(without_comment(symbolizer.excerpt(line))), loop);
    };
    const std::string half = half_of(first);
    if (half.empty() || half != half_of(second) || !end.has_barrier) continue;
    const std::size_t open = half.find('[');
    const std::string name = half.substr(0, open), index = half.substr(open + 1, half.size() - open - 2);
    return {
        {say("both lines use the same half, `{half}`, in one turn of the loop", half)},
        say("let what is fetched for the next turn go to the other half, `{name}[1 - {index}]`: this turn "
            "still reads `{half}`.",
            name, index, half)};
  }
  return {};
}

/// Which turns of a loop lead two threads to one element.
RaceAdvice turns_advice(const Finding& race, const SourceLine& line, Symbolizer& symbolizer) {
  if (!is_plain_update(race)) return {};
  const std::string code = without_comment(symbolizer.excerpt(line));
  for (const unsigned head : loops_around(line, symbolizer)) {
    const auto shared = shared_turns(race, {line.file, head}, code, symbolizer);
    if (!shared) continue;
    return {
        {say(
            "both threads come to this element by `{variable}`: the first one in turn {turn} of the loop in "
            "line {line}, the second one in turn {other}; the step `{step}` is {value}, and {threads:thread} "
            "share the loop",
            shared->variable, shared->turns[0], head, shared->turns[1], shared->step, shared->value,
            shared->threads)},
        say("make the step the number of threads that share the loop: `{variable} += "
            "{of_grid?gridDim.x * blockDim.x|blockDim.x}`.",
            shared->variable, shared->of_grid)};
  }
  return {};
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
    if (is_barrier(symbolizer.excerpt({first->file, line}), false)) return true;
  return false;
}

RaceAdvice race_advice(const Finding& race, Symbolizer& symbolizer) {
  const bool is_race = (race.id == "shared-race" || race.id == "global-race") && race.kind.empty();
  if (!is_race || race.participants.size() != 2 || is_between_grids(race) || is_exchange(race) ||
      is_crosswise(race) || follows_from_lock(race))
    return {};
  if (is_lock_given_back(race, symbolizer)) return {{}, filled(lock_given_back, race)};
  if (barrier_between(race, symbolizer)) {
    const AcrossBarrier& across = across_barrier_of(race);
    return {{filled(across.note, race)}, filled(across.cure, race)};
  }
  const auto first = source_of(race.participants[0], symbolizer);
  const auto second = source_of(race.participants[1], symbolizer);
  if (!first || !second || lacks_a_barrier_call(race)) return {};
  for (const SourceLine& line : {*first, *second})
    if (stores_in_condition(without_comment(symbolizer.excerpt(line))))
      return {{},
              say("the condition in line {line} has = and no ==, so that it stores, and holds for every "
                  "thread whose "
                  "value is not 0: make that right first, and look whether this is still there.",
                  line.line)};
  if (const std::string twice = passed_twice(race, symbolizer); !twice.empty())
    return {{twice}, filled(two_arrays, race)};
  if (const char* const cure = under_lock(race, symbolizer)) return {{}, filled(cure, race)};
  if (const char* const cure = before_flag(race, symbolizer)) return {{}, filled(cure, race)};
  for (const auto text : {in_one_step, beside_own_update})
    if (const char* const cure = text(race, symbolizer)) return {{}, filled(cure, race)};
  if (RaceAdvice advice = scatter_advice(race, symbolizer); !advice.cure.empty()) return advice;
  if (RaceAdvice advice = halves_advice(race, *first, *second, symbolizer); !advice.cure.empty())
    return advice;
  const bool is_one_line = first->file == second->file && first->line == second->line;
  if (is_one_line)
    if (RaceAdvice advice = turns_advice(race, *first, symbolizer); !advice.cure.empty()) return advice;
  if (!within_block(race) || first->file != second->file || has_atomic(race) ||
      (is_one_statement(race) && !exchanges_elements(race, symbolizer)))
    return {};
  const bool in_warp = within_warp(race);
  const bool is_in_loop = are_in_loop_without_barrier(*first, *second, in_warp, symbolizer);
  const bool reads = has_party_that(race, Access::read);
  if (const auto helper = is_in_loop ? std::nullopt : repeated_helper(*first, *second, symbolizer))
    return {{helper->is_macro ? say("the macro `{name}` makes both lines, each of them one step: nothing "
                                    "orders one step and the next",
                                    helper->name)
                              : say("`{name}` makes one step, and is called again for the next one: one "
                                    "thread has gone on to a later step, or "
                                    "two threads share an element in one step",
                                    helper->name)},
            filled(barrier_of_steps, race)};
  // What gets its elements as arguments says nothing of the turns in which it does.
  const bool names_elements = symbolizer.excerpt(*first).find('[') != std::string::npos;
  if (is_one_line && reads && !is_in_loop && !names_elements) return {};
  if (is_one_line && reads && !is_in_loop)
    return {{}, filled(in_warp ? read_then_syncwarp : read_then_barrier, race)};
  if (!is_in_loop) return {};
  if (is_one_line)
    return {{filled(one_line_of_a_loop, race)},
            filled(reads ? two_barriers_of_turn : barrier_at_end_of_turn, race)};
  return {{filled(two_lines_of_a_loop, race)}, filled(barrier_at_end_and_between, race)};
}

} // namespace simt
