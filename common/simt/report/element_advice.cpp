#include "simt/report/element_advice.hpp"

#include "simt/report/catalogue.hpp"
#include "simt/report/code_lines.hpp"
#include "simt/report/say.hpp"
#include "simt/report/wording.hpp"
#include "text/words.hpp"

#include <algorithm>

namespace simt {

namespace {

using warpbook::find_word, warpbook::is_part_of_word, warpbook::words_in;

bool is_update(const Assignment& assignment) {
  return assignment.sign != "=" || has_expression(assignment.value, assignment.target);
}

/// Whether a line asks whether something is a constant: `if (lock == 0)`, `while (lock != 0)`, `while (lock)`, `if (!*lock)`.
bool asks_for_constant(const std::string& code) {
  for (const std::string_view word : {"if", "while"}) {
    const std::size_t at = find_word(code, word), open = code.find('(', std::min(at, code.size()));
    if (open == code.npos) continue;
    const std::string condition = code.substr(open + 1, code.find_first_of("&|;", open) - open - 1);
    if (condition.find_first_of("<>%") == condition.npos) return true;
  }
  return false;
}

/// A number, `true` or `false`, or a name in capitals.
bool is_constant(const std::string& value) {
  const auto words = words_in(value);
  return std::ranges::all_of(words, [](const std::string& word) {
    return word == "true" || word == "false" || std::ranges::none_of(word, [](char c) {
             return std::islower(static_cast<unsigned char>(c)) != 0;
           });
  });
}

/// Whether a line sets something to a constant: `lock = 1;`.
bool sets_constant(const std::string& code) {
  return std::ranges::any_of(assignments_in(code), [](const Assignment& each) {
    return each.sign == "=" && is_constant(each.value);
  });
}

bool takes_lock(const std::string& code) {
  return std::ranges::any_of(std::initializer_list<const char*>{"atomicCAS", "atomicExch", "compare_exchange",
                                                                ".exchange(", "test_and_set"},
                             [&](const char* name) { return code.find(name) != code.npos; });
}

/// Lines from a thread's read of an element to a write of it.
struct Steps {
  Assignment write = {};
  std::vector<std::string> read = {}; ///< the element, and variables that it was read into
  std::string code, behind;           ///< of these lines, and of the write and some lines below
  std::string head;                   ///< of the function that they are in
};

std::optional<Steps> steps_of(const Finding& race, Symbolizer& symbolizer) {
  std::optional<SourceLine> read, written;
  for (const Participant& who : race.participants)
    (who.access == Access::read ? read : written) = source_of(who, symbolizer);
  constexpr unsigned most = 12;
  if (!read || !written || read->file != written->file || written->line < read->line ||
      written->line - read->line > most)
    return std::nullopt;
  Steps steps{.code = code_of(*read, written->line, symbolizer),
              .behind = code_of(*written, written->line + 3, symbolizer),
              .head = kernel_until(*read, symbolizer)};
  steps.head.erase(std::min(steps.head.find('{'), steps.head.size()));
  const std::string all = without_spaces(steps.code);
  const std::vector<Assignment> writes = assignments_in(code_of(*written, written->line, symbolizer));
  const auto is_read_before = [&](const Assignment& each) {
    return each.sign == "=" && all.find(each.target) < all.rfind(each.target + "=");
  };
  const auto write = std::ranges::find_if(writes, is_read_before);
  if (writes.empty()) return std::nullopt;
  steps.write = write == writes.end() ? writes.front() : *write;
  steps.read = {steps.write.target};
  for (const Assignment& each : assignments_in(steps.code))
    if (each.sign == "=" && each.target != steps.write.target &&
        has_expression(each.value, steps.write.target))
      steps.read.push_back(each.target);
  return steps;
}

/// Whether what the thread has read is a part of the expression.
bool has_read(const Steps& steps, const std::string& code) {
  return std::ranges::any_of(steps.read, [&](const std::string& name) { return has_expression(code, name); });
}

/// Whether the function of the steps has a parameter of this name that is a reference.
bool is_reference(const Steps& steps, const std::string& name) {
  const std::string head = without_spaces(steps.head);
  return head.find('&' + name + ',') != head.npos || head.find('&' + name + ')') != head.npos;
}

/// Whether two elements are read, and both are written: each gets the other one's value, or what a comparison of both gives.
bool exchanges(const Steps& steps) {
  const std::vector<Assignment> before = assignments_in(steps.code),
                                behind = assignments_in(steps.behind.substr(0, steps.behind.find("__sync")));
  const auto is_element = [&](const Assignment& each) {
    return each.target != steps.write.target &&
           (each.target.find_first_of("[*") != each.target.npos || is_reference(steps, each.target));
  };
  const auto is_read = [&](const std::string& target) {
    return std::ranges::any_of(before,
                               [&](const Assignment& each) { return has_expression(each.value, target); });
  };
  const auto is_made_of_both = [&](const Assignment& each) {
    return is_element(each) && each.sign == "=" && has_read(steps, each.value) && is_read(each.target);
  };
  return std::ranges::any_of(before,
                             [&](const Assignment& each) {
                               return is_made_of_both(each) ||
                                      (is_element(each) && each.value == steps.write.target);
                             }) ||
         std::ranges::any_of(behind, [&](const Assignment& each) {
           return is_made_of_both(each) || (is_element(each) && each.target == steps.write.value);
         });
}

/// Whether what was read is compared, and another value written: `if (v > *best) *best = v;`, `*best = max(*best, v);`.
bool compares_and_writes(const Steps& steps) {
  const std::string& value = steps.write.value;
  if (steps.write.sign != "=" || is_constant(value) || exchanges(steps)) return false;
  if (has_read(steps, value)) {
    const std::vector<std::string> words = words_in(value);
    const bool calls = std::ranges::any_of(
        std::initializer_list<std::string_view>{"max", "min", "fmax", "fmin", "fmaxf", "fminf"},
        [&](std::string_view name) { return std::ranges::find(words, name) != words.end(); });
    return calls || (value.find('?') != value.npos && has_comparison(value.substr(0, value.find('?'))));
  }
  return std::ranges::any_of(conditions_in(steps.code), [&](const std::string& condition) {
    return has_comparison(condition) && has_read(steps, condition);
  });
}

/// The first element in an expression, `rows[i].first`; empty if there is none.
std::string element_in(const std::string& expression) {
  const std::size_t open = expression.find('[');
  if (open == expression.npos || open == 0) return "";
  const auto is_of_name = [](char c) { return is_part_of_word(c) || c == '.'; };
  std::size_t begin = open, end = open;
  while (begin > 0 && is_of_name(expression[begin - 1])) --begin;
  for (int depth = 0;
       end < expression.size() && (depth > 0 || expression[end] == '[' || is_of_name(expression[end])); ++end)
    depth += (expression[end] == '[') - (expression[end] == ']');
  return begin == open ? "" : expression.substr(begin, end - begin);
}

/// What an index is made of that is read from memory; empty if it is none.
std::string from_memory(std::string index, const SourceLine& line, Symbolizer& symbolizer, int depth = 0) {
  if (const std::string element = element_in(index); !element.empty()) return element;
  for (std::size_t dot = index.find('.'); dot != index.npos; dot = index.find('.', dot + 1)) // members
    while (dot + 1 < index.size() && is_part_of_word(index[dot + 1])) index.erase(dot + 1, 1);
  const std::vector<Assignment> own = assignments_in(without_comment(symbolizer.excerpt(line)));
  for (const std::string& name : words_in(index)) {
    const auto set = std::ranges::find(own, name, &Assignment::target);
    const std::string value = set != own.end() ? set->value : value_of(name, line, symbolizer, false);
    if (value.empty() || depth > 1) continue;
    if (std::string element = from_memory(value, line, symbolizer, depth + 1); !element.empty())
      return element;
  }
  return "";
}

/// The same of the element that a line writes; empty if what the thread does there is another thing.
std::string leading_index(const Participant& who, Symbolizer& symbolizer) {
  const auto line = source_of(who, symbolizer);
  if (!line) return "";
  for (const Assignment& each : assignments_in(without_comment(symbolizer.excerpt(*line)))) {
    const std::size_t open = each.target.find('['), close = each.target.rfind(']');
    if (open == each.target.npos || close == each.target.npos || close < open) continue;
    if (who.access == Access::read && !is_update(each)) return "";
    return from_memory(each.target.substr(open + 1, close - open - 1), *line, symbolizer);
  }
  return "";
}

} // namespace

const char* in_one_step(const Finding& race, Symbolizer& symbolizer) {
  if (has_atomic(race) || has_two_writes(race)) return nullptr;
  const auto steps = steps_of(race, symbolizer);
  const bool is_of_many = race.has<Spread>([](const Spread& spread) { return spread.writers; });
  if (steps && (is_of_many || !is_of_elements(race)) && compares_and_writes(*steps))
    return compare_in_one_step;
  if (!has_several_writers(race)) return nullptr;
  std::string read, written;
  for (const Participant& who : race.participants)
    if (const auto line = source_of(who, symbolizer))
      (who.access == Access::read ? read : written) = without_comment(symbolizer.excerpt(*line));
  const std::vector<Assignment> writes = assignments_in(written);
  const auto takes_place = [](const Assignment& each) {
    return each.sign == "=" && (each.target + each.value).find("++") != std::string::npos;
  };
  if (std::ranges::any_of(writes, takes_place)) return count_in_one_step;
  const bool makes_of_read = steps && has_read(*steps, steps->write.value);
  const bool keeps_read = steps && steps->read.size() > 1; // `pos = *count; *count = pos + 1;` on one line
  if (makes_of_read && keeps_read) return count_in_one_step;
  if (read != written && (makes_of_read || std::ranges::any_of(writes, is_update))) return count_in_one_step;
  return asks_for_constant(read) && sets_constant(written) ? lock_in_one_step : nullptr;
}

bool exchanges_elements(const Finding& race, Symbolizer& symbolizer) {
  if (has_atomic(race) || has_two_writes(race)) return false;
  const auto steps = steps_of(race, symbolizer);
  return steps && exchanges(*steps);
}

const char* beside_own_update(const Finding& race, Symbolizer& symbolizer) {
  if (!reads_what_others_update(race)) return nullptr;
  std::optional<SourceLine> read, updated;
  for (const Participant& who : race.participants)
    (who.access == Access::read ? read : updated) = source_of(who, symbolizer);
  constexpr unsigned most = 6;
  if (!read || !updated || read->file != updated->file ||
      std::max(read->line, updated->line) - std::min(read->line, updated->line) > most)
    return nullptr;
  // A call whose result is not used.
  const std::string update = without_spaces(without_comment(symbolizer.excerpt(*updated)));
  std::size_t call = update.npos;
  for (const char* const function : {"atomicAdd(", "atomicSub(", "atomicInc(", "atomicDec("})
    call = std::min(call, update.find(function));
  if (call == update.npos ||
      (call > 0 && std::string_view(";{})").find(update[call - 1]) == std::string_view::npos))
    return nullptr;
  const std::size_t open = update.find('(', call), comma = update.find(',', open);
  if (comma == update.npos) return nullptr;
  const std::string address = update.substr(open + 1, comma - open - 1);
  const std::string lines = code_of({read->file, std::min(read->line, updated->line)},
                                    std::max(read->line, updated->line), symbolizer);
  if (lines.find("__syncthreads") != lines.npos) return nullptr;
  const std::string code = without_spaces(without_comment(symbolizer.excerpt(*read)));
  const std::vector<std::string> forms =
      address.starts_with('&') ? std::vector{address.substr(1)} : std::vector{'*' + address, address + "[0]"};
  for (const std::string& form : forms) {
    // In an index, or kept before the update.
    for (std::size_t at = code.find(form); at != code.npos; at = code.find(form, at + 1))
      if (std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '[') >
          std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), ']'))
        return value_of_update;
    const bool is_kept = std::ranges::any_of(
        assignments_in(without_comment(symbolizer.excerpt(*read))), [&](const Assignment& each) {
          return each.value == form && each.target.find_first_of("[*") == each.target.npos;
        });
    if (is_kept && (read->line < updated->line || (read->line == updated->line && code.find(form) < call)))
      return value_of_update;
  }
  return nullptr;
}

RaceAdvice scatter_advice(const Finding& race, Symbolizer& symbolizer) {
  if (has_atomic(race) || has_lone_writers(race) || is_plain_and_alike(race)) return {};
  std::string one = leading_index(race.participants[0], symbolizer),
              other = leading_index(race.participants[1], symbolizer);
  // The read of `v = sums[key]; sums[key] = v + 1;` is of the same element as the write.
  if (const auto steps = steps_of(race, symbolizer)) {
    const std::string lines = without_spaces(steps->code);
    const std::size_t last = lines.rfind('\n', lines.size() - 2);
    if (last != lines.npos && lines.find(steps->write.target) < last)
      (one.empty() ? one : other) = one.empty() ? other : one;
  }
  if (one.empty() || other.empty()) return {};
  const bool only_writes = has_two_writes(race) && [&] {
    const auto line = source_of(race.participants[0], symbolizer);
    const auto all = assignments_in(without_comment(symbolizer.excerpt(*line)));
    return std::ranges::none_of(all, is_update);
  }();
  return {{say("both threads come to this element by an index that is made of what they read from memory, "
               "`{index}`{are_two? and `{other}`}: it is the same for both",
               one, one != other, other)},
          filled(only_writes ? scattered_writes : scattered_updates, race)};
}

std::string read_for_index(const std::string& index, const SourceLine& line, Symbolizer& symbolizer) {
  return from_memory(index, line, symbolizer);
}

bool is_lock_given_back(const Finding& race, Symbolizer& symbolizer) {
  if (!race.kind.empty() || race.participants.size() != 2 || !has_atomic(race) ||
      !has_party_that(race, Access::write))
    return false;
  std::string taken, given;
  for (const Participant& who : race.participants) {
    const auto line = source_of(who, symbolizer);
    if (!line) return false;
    (who.access == Access::atomic ? taken : given) = without_comment(symbolizer.excerpt(*line));
  }
  return takes_lock(taken) && sets_constant(given);
}

const char* under_lock(const Finding& race, Symbolizer& symbolizer) {
  if (has_atomic(race)) return nullptr;
  const auto one = source_of(race.participants[0], symbolizer),
             other = source_of(race.participants[1], symbolizer);
  if (!one || !other || one->file != other->file) return nullptr;
  constexpr unsigned most = 10;
  const auto [first, last] = std::minmax(one->line, other->line);
  std::string above = code_of({one->file, first - std::min(first, most)}, first, symbolizer);
  above.erase(0, std::max(above.rfind("__global__") + 1, above.rfind("__device__") + 1));
  std::string below = code_of({one->file, last}, last + most, symbolizer);
  below.erase(std::min({below.find("__global__"), below.find("__device__"), below.size()}));
  const auto gives_back = [&](const Assignment& each) {
    const std::vector<std::string> names = words_in(each.target);
    return each.sign == "=" && is_constant(each.value) && !names.empty() &&
           find_word(above, names.back()) != above.npos;
  };
  const bool is_given_back = below.find("atomicExch") != below.npos ||
                             below.find("atomicCAS") != below.npos ||
                             std::ranges::any_of(assignments_in(below), gives_back);
  return takes_lock(above) && is_given_back ? fences_of_lock : nullptr;
}

} // namespace simt
