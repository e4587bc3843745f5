#include "simt/report/symbolizer.hpp"

#include "simt/report/catalogue.hpp"
#include "simt/report/code_lines.hpp"
#include "simt/report/element_advice.hpp"
#include "simt/report/race_advice.hpp"
#include "simt/report/say.hpp"
#include "simt/report/wording.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <map>
#include <set>
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

/// A condition that compares, in a line of code.
struct Comparison {
  bool leads_elsewhere =
      false;            ///< to another line, by a jump, or nowhere: `if (i >= n) return;`, `if (i >= n) ;`
  bool is_open = false; ///< what it is about begins behind its line: `if (i < n)`, `if (i < n) {`
  bool is_loop = false;
  bool is_empty = false; ///< `if (i < n);`
};

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
                      first == rest.npos || (rest[first] == '{' && rest.find('}') == rest.npos), word != "if",
                      is_empty};
  }
  return std::nullopt;
}

/// Of an index `row * factor + column`: the two that are multiplied, and whether the comparison has the factor as the bound of the
/// row, or of another variable.
struct Product {
  std::string row, factor;
  bool bounds_row = false, bounds_other = false;
};
Product product_in(const std::string& made, const std::string& comparison) {
  const std::string index = without_spaces(made), compared = without_spaces(comparison);
  const auto is_of_name = [](char c) { return is_part_of_word(c) || c == '.'; };
  Product found;
  for (std::size_t times = index.find('*'); times != index.npos && found.row.empty();
       times = index.find('*', times + 1)) {
    std::size_t begin = times, end = times + 1;
    if (times > 0 && index[times - 1] == ')') begin = index.rfind('(', times);
    while (begin > 0 && begin != index.npos && index[begin] != '(' && is_of_name(index[begin - 1])) --begin;
    if (begin == index.npos) continue;
    const std::size_t close = index.find(')', end);
    if (end < index.size() && index[end] == '(' && close != index.npos &&
        words_in(index.substr(end, close - end)).size() == 1 &&
        index.find_first_of("+-*/%(", end + 1) > close)
      ++end;
    while (end < index.size() && is_of_name(index[end])) ++end;
    if (!words_in(index.substr(begin, times - begin)).empty() &&
        !words_in(index.substr(times + 1, end - times - 1)).empty())
      found = {index.substr(begin, times - begin), index.substr(times + 1, end - times - 1)};
  }
  if (found.row.starts_with('(')) found.row = words_in(found.row).front();
  if (found.factor.starts_with('(')) found.factor = words_in(found.factor).back();
  if (found.row.empty()) return found;
  // Of members the last name alone: another object of the type may have the bound.
  const std::string factor = words_in(found.factor).back(), row = words_in(found.row).back();
  for (std::size_t at = find_word(compared, factor); at != compared.npos;
       at = find_word(compared, factor, at + 1)) {
    std::size_t first = at;
    while (first > 0 && is_of_name(compared[first - 1])) --first;
    for (const std::string_view sign : {"<", ">="}) {
      if (first < sign.size() || compared.compare(first - sign.size(), sign.size(), sign) != 0) continue;
      const std::vector<std::string> before = words_in(compared.substr(0, first - sign.size()));
      (!before.empty() && before.back() == row ? found.bounds_row : found.bounds_other) = true;
    }
  }
  return found;
}

/// What of an access is wrong that has passed a comparison.
std::string let_through(const Finding& finding, const SourceLine& comparison, Symbolizer& symbolizer) {
  const Outside& outside = *finding.get<Outside>();
  const auto text_for = [&](Made made) {
    return filled(std::ranges::find(lets_through, made, &LetsThrough::made)->text, finding);
  };
  const std::string compared = without_comment(symbolizer.excerpt(comparison));
  if (const auto found = comparison_in(compared); found && found->is_empty && !found->is_loop)
    return text_for(Made::without_body);
  const auto access = source_of(finding.participants.front(), symbolizer);
  std::string index = index_in(with_macros(without_comment(symbolizer.excerpt(*access)), *access, symbolizer),
                               finding.variable);
  if (words_in(index).size() == 1 && words_in(index)[0] == index) {
    const std::string value = value_of(index, *access, symbolizer);
    if (!value.empty() && find_word(value, "threadIdx") == value.npos) index = value;
  }
  const bool has_product = index.find('*') != index.npos;
  if (outside.pitch != 0 && outside.element_bytes != 1 && has_product) return text_for(Made::of_pitch);
  const bool has_rows =
      finding.grid[1] * finding.block[1] > 1 && (has_product || index.find('(') != index.npos);
  const Product product = product_in(index, symbolizer.excerpt(comparison));
  if (!has_rows || product.bounds_other) return text_for(Made::plainly);
  if (!product.bounds_row) return text_for(Made::of_rows);
  return say("has `{factor}` as the bound of `{row}`, and the index multiplies `{row}` by it: the factor has "
             "to be the length of a row, "
             "and not the number of rows, as in `row * width + column`.",
             words_in(product.factor).back(), product.row);
}

/// The comparison that lets a thread through to the line: in it, or above it in the same function if it bounds the index.
std::optional<SourceLine> comparison_at(const SourceLine& access, const std::string& index,
                                        Symbolizer& symbolizer) {
  const std::string own = without_comment(symbolizer.excerpt(access));
  const std::string arms = own.substr(std::min(own.find('?'), own.size()));
  const bool is_in_arm = arms.find_first_of("[*(") != arms.npos;
  if (comparison_in(own) || (is_in_arm && has_comparison(std::string_view(own).substr(0, own.find('?') + 1))))
    return access;
  constexpr unsigned most = 30;
  bool is_next = true; // nothing but spaces and comments between
  for (int closed = 0, back = 1; static_cast<unsigned>(back) < std::min(most, access.line); ++back) {
    const SourceLine line{access.file, access.line - static_cast<unsigned>(back)};
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

/// The line near the access, in its function, whose condition is true for all values.
std::optional<SourceLine> always_true_before(const Finding& finding, Symbolizer& symbolizer) {
  const auto access = finding.get<Outside>() ? source_of(party(finding, 0), symbolizer) : std::nullopt;
  for (unsigned back = 0; access && back < std::min(5u, access->line); ++back) {
    const SourceLine line{access->file, access->line - back};
    const std::string code = without_comment(symbolizer.excerpt(line));
    if (is_always_true(code)) return line;
    if (code.find("__global__") != code.npos || code.find("__device__") != code.npos) break;
  }
  return std::nullopt;
}

} // namespace

std::optional<SourceLine> comparison_before(const Finding& diagnostic, Symbolizer& symbolizer) {
  if (!diagnostic.get<Outside>() || is_below_array(diagnostic) || is_vector_across_end(diagnostic) ||
      diagnostic.space != Space::global || diagnostic.get<fact::IndexBits>() ||
      diagnostic.participants.empty())
    return std::nullopt;
  const auto access = source_of(diagnostic.participants.front(), symbolizer);
  if (!access) return std::nullopt;
  const std::string index = index_in(without_comment(symbolizer.excerpt(*access)), diagnostic.variable);
  if (const auto found = comparison_at(*access, index, symbolizer)) return found;
  const std::vector<SourceLine> calls = calls_of_function_at(*access, diagnostic.kernel, symbolizer);
  if (calls.size() != 1) return std::nullopt;
  const std::string call = without_comment(symbolizer.excerpt(calls.front()));
  return comparison_at(calls.front(), call.substr(std::min(call.find('('), call.size())), symbolizer);
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

namespace {

/// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text = i == 0                  ? names[i]
           : i + 1 == names.size() ? say("{names} and {last}", text, names[i])
                                   : text + ", " + names[i];
  return text;
}
std::string listed(const std::vector<unsigned>& numbers) {
  std::vector<std::string> names;
  for (const unsigned number : numbers) names.push_back(std::to_string(number));
  return listed(names);
}

} // namespace

std::string one_store(const std::vector<SourceLine>& lines) {
  std::vector<unsigned> numbers;
  for (const SourceLine& line : lines) numbers.push_back(line.line);
  return say("(the compiler makes one store of lines {numbers})", listed(numbers));
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
    const Spread spread = diagnostic.get<Spread>() ? *diagnostic.get<Spread>() : Spread{};
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
    for (fact::Any& fact : first.facts)
      if (Spread* const whole = std::get_if<Spread>(&fact))
        *whole = {whole->elements || spread.elements, whole->indices || spread.indices,
                  whole->lone_writers && spread.lone_writers, whole->writers || spread.writers,
                  whole->pairs || spread.pairs};
  }
  diagnostics = std::move(merged);
}

namespace {

auto memory_of(const Finding& finding) {
  return std::tuple(finding.kernel, finding.variable, finding.unnamed_bytes);
}

/// What several threads do with one variable, and what takes one step, is one mistake, whoever the threads are.
class CommonCauses {
public:
  CommonCauses(std::vector<Finding>& diagnostics, Symbolizer& symbolizer) : symbolizer_(symbolizer) {
    for (const Finding& finding : diagnostics) {
      if (!finding.get<Spread>()) continue;
      if (is_lock_given_back(finding, symbolizer))
        of_locks_.insert(memory_of(finding));
      else if (tells(finding))
        of_steps_.insert(memory_of(finding));
    }
    for (const Finding& lock : std::vector(diagnostics)) {
      const bool is_plain = is_of_step(lock) && in_one_step(lock, symbolizer) == lock_in_one_step;
      if (!is_of_lock(lock) && !is_plain) continue;
      for (Finding& race : diagnostics)
        if (race.get<Spread>() && race.cause.empty() && race.kernel == lock.kernel &&
            memory_of(race) != memory_of(lock) && !has_atomic(race) && (!is_plain || is_between(race, lock)))
          race.cause = lock.id;
    }
  }
  bool is_of_lock(const Finding& finding) const {
    return finding.get<Spread>() && of_locks_.contains(memory_of(finding));
  }
  bool is_of_step(const Finding& finding) const {
    return is_exchange(finding) ||
           (finding.get<Spread>() && !has_atomic(finding) && of_steps_.contains(memory_of(finding)));
  }
  /// Whether the cause shows in the finding's own lines.
  bool tells(const Finding& finding) const {
    if (!finding.get<Spread>() || finding.participants.size() != 2) return false;
    return is_lock_given_back(finding, symbolizer_) || in_one_step(finding, symbolizer_) ||
           is_of_helper(finding);
  }

private:
  /// Whether it is about steps that one macro makes, or one line of a function that is called again and again.
  bool is_of_helper(const Finding& race) const {
    const auto one = source_of(race.participants[0], symbolizer_),
               other = source_of(race.participants[1], symbolizer_);
    if (!one || !other || !within_block(race)) return false;
    const auto helper = repeated_helper(*one, *other, symbolizer_);
    return helper && (helper->is_macro || one->line == other->line);
  }

  /// Whether its lines are between those of the other one.
  bool is_between(const Finding& race, const Finding& lock) const {
    std::set<std::pair<std::string, unsigned>> around, lines;
    for (const Participant& who : lock.participants)
      if (const auto line = source_of(who, symbolizer_)) around.emplace(line->file, line->line);
    for (const Participant& who : race.participants)
      if (const auto line = source_of(who, symbolizer_)) lines.emplace(line->file, line->line);
    return !around.empty() && !lines.empty() && *around.begin() < *lines.begin() &&
           *lines.rbegin() < *around.rbegin();
  }

  Symbolizer& symbolizer_;
  std::set<decltype(memory_of(Finding()))> of_locks_, of_steps_;
};

} // namespace

void merge_by_variable(std::vector<Finding>& diagnostics, Symbolizer& symbolizer) {
  const CommonCauses causes(diagnostics, symbolizer);
  /// Of an access beyond an array that a comparison has let through its line, and the array only by its length.
  const auto beyond_of = [&](const Finding& finding) {
    const Outside* outside = finding.get<Outside>();
    const auto line = outside ? comparison_before(finding, symbolizer) : std::nullopt;
    return std::tuple(outside ? outside->side == Outside::Side::before : false, line ? line->file : "",
                      line ? line->line : 0,
                      line ? outside->array_bytes / std::max(outside->element_bytes, std::uint64_t{1}) : 0);
  };
  const auto kind_of = [&](const Finding& finding) {
    const auto beyond = beyond_of(finding);
    const bool is_by_line = std::get<2>(beyond) != 0;
    const Space space = finding.space.value_or(Space::global);
    const bool is_of_lock = causes.is_of_lock(finding), is_of_any = is_of_lock || causes.is_of_step(finding);
    return std::tuple(finding.id, finding.kind, finding.kernel, is_by_line ? "" : finding.variable,
                      is_by_line ? 0 : finding.unnamed_bytes, beyond, space,
                      !is_of_any && within_warp(finding), !is_of_any && within_block(finding),
                      !is_of_any && between_blocks(finding), !is_of_lock && has_atomic(finding),
                      finding.cause);
  };
  std::map<decltype(kind_of(Finding())), std::size_t> index_of;
  std::vector<Finding> merged;
  for (Finding& diagnostic : diagnostics) {
    const bool has_place =
        !diagnostic.variable.empty() &&
        (diagnostic.get<Spread>() || diagnostic.get<Outside>() || diagnostic.id == "uninitialised-read");
    const auto [known, is_new] = has_place ? index_of.try_emplace(kind_of(diagnostic), merged.size())
                                           : std::pair(index_of.end(), true);
    if (is_new) {
      merged.push_back(std::move(diagnostic));
      continue;
    }
    Finding& first = merged[known->second];
    if (causes.tells(diagnostic) && !causes.tells(first)) {
      std::swap(first, diagnostic);
      std::swap(first.elsewhere, diagnostic.elsewhere);
    }
    first.count += diagnostic.count;
    first.elsewhere.push_back(std::move(diagnostic.participants));
  }
  diagnostics = std::move(merged);
}

void merge_by_kernel(std::vector<Finding>& diagnostics, Symbolizer& symbolizer) {
  using Lines = std::vector<std::tuple<std::string, unsigned, std::optional<Access>>>;
  const auto lines_of = [&](const Finding& finding) {
    Lines lines;
    for (const Participant& participant : finding.participants) {
      const auto line = source_of(participant, symbolizer);
      if (!line) return Lines{};
      lines.emplace_back(line->file, line->line, participant.access);
    }
    std::ranges::sort(lines);
    return lines;
  };
  // Of no race: each kernel has its own order.
  const auto array_of = [](const Finding& finding) {
    const Outside* outside = finding.get<Outside>();
    const bool is_of_array =
        !finding.variable.empty() && finding.space == Space::global &&
        (finding.id == "uninitialised-read" || (outside && outside->side == Outside::Side::past));
    return is_of_array ? std::optional(std::tuple(finding.variable, finding.unnamed_bytes,
                                                  outside ? outside->array_bytes : 0,
                                                  outside ? outside->distance : 0))
                       : std::nullopt;
  };
  std::vector<Finding> merged;
  for (Finding& diagnostic : diagnostics) {
    const Lines lines = lines_of(diagnostic);
    const auto array = array_of(diagnostic);
    const auto known = std::ranges::find_if(merged, [&](const Finding& first) {
      const bool is_alike =
          first.id == diagnostic.id && first.kind == diagnostic.kind && first.kernel != diagnostic.kernel;
      return is_alike && !first.kernel.empty() && !diagnostic.kernel.empty() &&
             ((!lines.empty() && lines == lines_of(first)) || (array && array == array_of(first)));
    });
    if (known == merged.end()) {
      merged.push_back(std::move(diagnostic));
      continue;
    }
    known->count += diagnostic.count;
    if (std::ranges::find(known->kernels, diagnostic.kernel) == known->kernels.end())
      known->kernels.push_back(diagnostic.kernel);
    known->elsewhere.push_back(std::move(diagnostic.participants));
    std::ranges::move(diagnostic.elsewhere, std::back_inserter(known->elsewhere));
  }
  diagnostics = std::move(merged);
}

namespace {

/// The lines in which merged findings are, beside those of the first one; of its file.
std::vector<unsigned> lines_elsewhere(const Finding& finding, Symbolizer& symbolizer) {
  std::set<std::pair<std::string, unsigned>> own, others;
  const auto add = [&](const std::vector<Participant>& participants, auto& lines) {
    for (const Participant& participant : participants)
      if (const auto source = source_of(participant, symbolizer)) lines.emplace(source->file, source->line);
  };
  add(finding.participants, own);
  for (const std::vector<Participant>& participants : finding.elsewhere) add(participants, others);
  std::vector<unsigned> lines;
  for (const auto& line : others)
    if (!own.empty() && line.first == own.begin()->first && !own.contains(line)) lines.push_back(line.second);
  return lines;
}

/// The pointers that a line of code uses with an index, each once: `b.temp`.
std::vector<std::string> indexed_in(const std::string& code) {
  std::vector<std::string> names;
  for (std::size_t open = code.find('['); open != code.npos; open = code.find('[', open + 1)) {
    std::size_t begin = open;
    while (begin > 0 && (is_part_of_word(code[begin - 1]) || code[begin - 1] == '.')) --begin;
    const std::string name = code.substr(begin, open - begin);
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// What helps against an access beyond an array, or through a null pointer, by the lines that lead to it; empty if they do not tell.
std::string cure_by_lines(const Finding& finding, Symbolizer& symbolizer) {
  const auto access = source_of(party(finding, 0), symbolizer);
  if (!access) return "";
  const std::string code = with_macros(without_comment(symbolizer.excerpt(*access)), *access, symbolizer);
  if (finding.kind == "null-pointer") {
    std::vector<std::string> names = indexed_in(code);
    const bool writes = party(finding, 0).access == Access::write;
    std::erase_if(names, [&](const std::string& name) {
      const auto all = assignments_in(code);
      const bool is_target = std::ranges::any_of(
          all, [&](const Assignment& each) { return each.target.starts_with(name + '['); });
      return writes != is_target;
    });
    return names.size() != 1 ? ""
                             : say("`{name}` is null: look for the cudaMalloc that is to set it before the "
                                   "launch, and whether it "
                                   "succeeds and this is the pointer that the kernel is passed.",
                                   names.front());
  }
  if (!finding.get<Outside>()) return "";
  const auto told = [&](const SourceLine& line, const std::string& lets) {
    return say("line {number}, `{code}`, {lets_through}", line.line, symbolizer.excerpt(line), lets);
  };
  if (const auto line = always_true_before(finding, symbolizer))
    return told(*line,
                filled(std::ranges::find(lets_through, Made::always, &LetsThrough::made)->text, finding));
  const auto comparison = comparison_before(finding, symbolizer);
  const bool is_named = !finding.variable.empty() && code.find(finding.variable + '[') != code.npos;
  std::string index = is_named || indexed_in(code).size() == 1 ? index_in(code, finding.variable) : "";
  if (const std::string read = read_for_index(index, *access, symbolizer); !read.empty()) {
    if (const std::size_t at = index.find(read); at != index.npos) index.erase(at, read.size());
    const std::string compared = comparison ? symbolizer.excerpt(*comparison) : "";
    const std::string conditions = compared.substr(0, compared.find(')'));
    const std::vector<std::string> words = words_in(index);
    if (std::ranges::none_of(
            words, [&](const std::string& word) { return find_word(conditions, word) != conditions.npos; }))
      return say("the index is made of what the thread reads from memory, `{element}`: a value there leads "
                 "outside. Bring the index into "
                 "the array's bounds before the access, as by a comparison or by min() and max(), or give "
                 "the array more elements.",
                 read);
  }
  return comparison ? told(*comparison, let_through(finding, *comparison, symbolizer)) : "";
}

} // namespace

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
    if (i < telling.evidence.size())
      for (const std::string& line : telling.evidence[i]) add(line, ReportLine::Kind::evidence);
  }
  if (const std::vector<unsigned> more = lines_elsewhere(diagnostic, symbolizer); !more.empty())
    add("  - " + say("likewise in {is_one?line|lines} {numbers}", more.size() == 1, listed(more)));
  if (!diagnostic.kernels.empty())
    add("  - " + say("likewise in {is_one?kernel|kernels} {names}", diagnostic.kernels.size() == 1,
                     listed(diagnostic.kernels)));
  std::vector<SourceLine> allocations;
  for (const CodeAddress& caller : diagnostic.allocated)
    for (SourceLine& line : symbolizer.lines(caller)) allocations.push_back(std::move(line));
  if (!allocations.empty()) {
    const Outside* outside = diagnostic.get<Outside>();
    add("  - " + (outside
                      ? say("host code has allocated it: {size:byte}{has_pitch?, in rows of {pitch:byte}}",
                            outside->array_bytes, outside->pitch != 0, outside->pitch)
                      : say("host code has allocated that memory")));
    for (const SourceLine& line : allocations) quote(line);
  }
  if (telling.asked_at) {
    add("  - " + say("host code has launched {launch} from here",
                     launch_text(diagnostic.kernel, diagnostic.launch.value_or(HostLaunch{}))));
    quote(*telling.asked_at);
  }
  for (const std::string& text : notes_of(diagnostic)) note(text);
  std::string cure = cure_of(diagnostic);
  if (!telling.advice) {
    const RaceAdvice advice = race_advice(diagnostic, symbolizer);
    for (const std::string& text : advice.notes) note(text);
    if (!advice.cure.empty()) cure = advice.cure;
  }
  const bool is_shown =
      std::ranges::any_of(telling.evidence, [](const auto& lines) { return !lines.empty(); });
  const bool has_advice = is_explained(diagnostic) && !telling.memory_is_given;
  const bool is_plain = diagnostic.id == "out-of-bounds" && !has_advice &&
                        (diagnostic.kind.empty() || diagnostic.kind == "far");
  if (telling.lacks_block && diagnostic.id == "global-race")
    cure = filled("{one index for all blocks}", diagnostic);
  else if (is_shown && is_plain)
    cure = say("with these numbers, is it the index that is not what you mean, or what it is compared with?");
  else if (diagnostic.id == "out-of-bounds" && !has_advice)
    if (const std::string better = cure_by_lines(diagnostic, symbolizer); !better.empty()) cure = better;
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
