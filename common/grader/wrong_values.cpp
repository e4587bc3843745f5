#include "grader/wrong_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "call/generate.hpp"
#include "grader/say.hpp"
#include "grader/text.hpp"
#include "simt/report/symbolizer.hpp"
#include "simt/trace/formula.hpp"
#include "simt/trace/lineage.hpp"

namespace warpbook {
namespace {

/// Of how many wrong elements the lineage is looked at.
constexpr std::size_t elements_followed = 16;
constexpr std::size_t elements_looked_at = 128; ///< where it is not known which are wrong
constexpr std::size_t lines_shown = 4;

// ---- what the values alone tell --------------------------------------------------------------------------

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(std::abs(a), std::abs(b)); }

/// Whether f(element) is the same for all of them; that number.
template <class F>
std::optional<double> common(const std::vector<WrongElement>& wrong, F f) {
  const double first = f(wrong.front());
  const auto same = [&](const WrongElement& e) { return is_near(f(e), first); };
  return std::isfinite(first) && std::ranges::all_of(wrong, same) ? std::optional(first) : std::nullopt;
}

/// Whether these are enough to show a rule, and different enough.
bool show_rules(const std::vector<WrongElement>& wrong) {
  const auto is_like_first = [&](const WrongElement& e) { return is_near(e.wanted, wrong.front().wanted); };
  constexpr std::size_t enough = 3;
  return wrong.size() >= enough && !std::ranges::all_of(wrong, is_like_first);
}

/// A rule that all wrong values follow, as a sentence; empty if there is none, or they are too few or too much alike to
/// show one.
std::string rule_of(const std::vector<WrongElement>& wrong) {
  if (!show_rules(wrong)) return {};
  const auto opposite = [](const WrongElement& e) { return e.actual == -e.wanted; };
  if (std::ranges::all_of(wrong, opposite)) return say("All wrong values have the wrong sign.");
  if (const auto same = common(wrong, [](const WrongElement& e) { return e.actual; }))
    return say("All wrong values are {value}.", rounded(*same));
  if (const auto by = common(wrong, [](const WrongElement& e) { return e.actual - e.wanted; }))
    return say("All wrong values are {difference} too {is_large?large|small}.", rounded(std::abs(*by)),
               *by > 0);
  if (const auto times = common(wrong, [](const WrongElement& e) { return e.actual / e.wanted; }))
    return say("All wrong values are {factor} times the right ones.", rounded(*times));
  if (have_no_fractions(wrong))
    return say(
        "All wrong values are whole numbers, and none should be. Has a variable of a type like int lost "
        "the fractions?");
  return {};
}

// ---- what the trace tells --------------------------------------------------------------------------------

/// "0 to 299, 512": which numbers are in an ordered list, as ranges, the first few of them.
std::string ranges_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (shown++ == lines_shown) return say("{numbers} and others", text);
    text += text.empty() ? "" : ", ";
    text += last > i ? say("{first} to {last}", numbers[i], numbers[last]) : std::to_string(numbers[i]);
    i = last + 1;
  }
  return text;
}

/// One call's trace, read for its buffers.
class TraceReader {
public:
  TraceReader(const Reply& reply, const Sources& sources)
      : reply_(reply), sources_(sources), trace_(*reply.trace()), lineage_(trace_),
        formulas_(simt::formulas_of(trace_)) {}

  void explain(Failure& why, std::size_t k, const std::vector<WrongElement>& wrong) {
    if (!look_at(why, k)) return;
    const auto first = [&](const auto& holds) {
      const auto end = wrong.begin() + static_cast<std::ptrdiff_t>(std::min(wrong.size(), elements_followed));
      const auto found = std::find_if(wrong.begin(), end, holds);
      return found == end ? nullptr : &*found;
    };
    if (const WrongElement* e =
            first([&](const WrongElement& w) { return !w.should_stay && writes(w.index).empty(); }))
      unwritten(why, *e);
    else if (const WrongElement* other = first([&](const WrongElement& w) { return w.should_stay; }))
      should_have_stayed(why, *other);
    else
      made_of(why, wrong);
  }

  /// As explain_call().
  void explain_all(Failure& why) {
    bool all_there = true;
    std::optional<BufferElement> last_looked_at;
    for (std::size_t k = 0; k < reply_.buffers(); ++k) {
      if (reply_.direction(k) == Direction::in || sources_({k, 0}).empty()) continue;
      if (!look_at(why, k)) return;
      const std::size_t count = trace_.arrays[*array_].bytes / element_bytes(*array_);
      for (std::size_t s = 0; s < elements_looked_at; ++s) {
        const std::size_t i = sampled_index(0, s, elements_looked_at, count);
        if (i >= count) break;
        if (writes(i).empty()) {
          if (reply_.direction(k) == Direction::out) return unwritten(why, {.index = i});
          continue;
        }
        const auto missing = missing_sources(i);
        if (!missing)
          all_there = false;
        else if (missing->empty())
          last_looked_at = {k, i};
        else
          return source_not_read(why, i, *missing);
      }
    }
    if (!all_there || !last_looked_at) return;
    arithmetic(why);
    look_at(why, last_looked_at->buffer);
    uneven_reads(why, last_looked_at->index);
  }

private:
  /// Adds a cause that is not reported yet.
  static void tell(Failure& why, Detail cause) {
    if (std::ranges::find(why.causes, cause.id, &Detail::id) == why.causes.end())
      why.causes.push_back(std::move(cause));
  }
  /// Turns to buffer `k`. Returns whether kernels have accessed it; if not, that is what is reported.
  bool look_at(Failure& why, std::size_t k) {
    buffer_ = k;
    array_ = array_of(k);
    const std::string& name = reply_.buffer_name(k);
    if (!array_)
      tell(why, {say("No kernel accesses {name}.", name), Detail::Kind::cause, "without access: " + name});
    return array_.has_value();
  }
  std::optional<std::uint32_t> array_of(std::size_t k) const {
    std::optional<std::uint32_t> found;
    for (std::uint32_t a = 0; a < trace_.arrays.size(); ++a) {
      const simt::TracedArray& array = trace_.arrays[a];
      if (array.space != simt::Space::global || array.name != reply_.buffer_name(k)) continue;
      if (found) return std::nullopt;
      found = a;
    }
    return found;
  }
  std::size_t element_bytes(std::uint32_t array) const {
    const unsigned known = trace_.arrays[array].element_bytes;
    return known != 0 ? known : lineage_.unit(array);
  }
  std::string element(std::uint32_t array, std::size_t index) const {
    const std::string& name = trace_.arrays[array].name;
    return name.empty() ? say("memory from cudaMalloc, element {index}", index)
                        : name + "[" + std::to_string(index) + "]";
  }
  std::string place(const simt::CodeAddress& address) {
    const auto where = symbolizer_.locate(address);
    return where ? shown_path(where->file) + ":" + std::to_string(where->line) : say("an unknown line");
  }
  std::vector<simt::TracedWrite> writes(std::size_t index) const {
    const std::size_t size = element_bytes(*array_);
    return lineage_.writes(*array_, index * size, size);
  }

  void unwritten(Failure& why, const WrongElement& e) {
    if (!has_diagnosis(why, "output-unwritten")) why.diagnoses.push_back("output-unwritten");
    std::vector<std::size_t> written;
    const std::size_t count = trace_.arrays[*array_].bytes / element_bytes(*array_);
    for (std::size_t i = 0; i < count; ++i)
      if (!writes(i).empty()) written.push_back(i);
    const std::string name = trace_.arrays[*array_].name;
    const std::string missing = element(*array_, e.index);
    why.causes.push_back(
        written.empty()
            ? say("No thread writes {element}. None writes to {array} at all.", missing, name)
            : say("No thread writes {element}. Elements of {array} that threads write: {elements}.", missing,
                  name, ranges_text(written)));
    formulas(why, *array_, true);
  }

  void should_have_stayed(Failure& why, const WrongElement& e) {
    const std::vector<simt::TracedWrite> all = writes(e.index);
    if (all.empty()) return;
    why.diagnoses.push_back("other-element-written");
    const auto [thread, line] = writer(all.back());
    why.causes.push_back(say("{element} should stay as it is, and {thread}, in {line}, writes it.",
                             element(*array_, e.index), thread, line));
    formulas(why, *array_, true);
  }

  /// The thread, and the line that it was in.
  std::pair<std::string, std::string> writer(const simt::TracedWrite& write) {
    return {simt::describe(write.thread), place(trace_.sites[trace_.steps[write.step].site])};
  }

  static constexpr std::uint32_t untouched =
      ~0u; ///< stands for the array of a buffer that no kernel has accessed

  /// The elements that element `index` is made of and that its writer cannot have got, as array and index; of an untouched
  /// buffer its number. Nothing if that is not known.
  std::optional<std::vector<std::pair<std::uint32_t, std::size_t>>> missing_sources(std::size_t index) const {
    const std::vector<BufferElement> sources = sources_({buffer_, index});
    if (sources.empty()) return std::nullopt;
    const std::size_t size = element_bytes(*array_);
    const simt::Ancestry ancestry = lineage_.ancestry(*array_, index * size, size);
    if (!ancestry.is_known || trace_.carried) return std::nullopt;
    std::vector<std::pair<std::uint32_t, std::size_t>> missing;
    for (const BufferElement& source : sources) {
      const auto array = array_of(source.buffer);
      if (!array) {
        missing.insert(missing.begin(), {untouched, source.buffer});
        continue;
      }
      // A part of an element (a member of a structure) may be enough.
      const std::size_t bytes = element_bytes(*array), begin = source.index * bytes;
      const auto found =
          ancestry.origins.lower_bound({*array, begin / lineage_.unit(*array) * lineage_.unit(*array)});
      if (found == ancestry.origins.end() || found->array != *array || found->offset >= begin + bytes)
        missing.push_back({*array, source.index});
    }
    return missing;
  }

  std::string reads_text(const simt::TracedWrite& write) const {
    std::vector<std::string> texts;
    for (const simt::Origin& origin : lineage_.read_for(write)) {
      const std::string text = element(origin.array, origin.offset / element_bytes(origin.array));
      if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    }
    std::string all;
    for (std::size_t i = 0; i < texts.size() && i < lines_shown; ++i) all += (i > 0 ? ", " : "") + texts[i];
    return all + (texts.size() > lines_shown ? ", …" : "");
  }

  void made_of(Failure& why, const std::vector<WrongElement>& wrong) {
    const std::vector<simt::TracedWrite> first = writes(wrong.front().index);
    if (first.empty()) return;
    bool all_known = static_cast<bool>(sources_);
    for (std::size_t i = 0; all_known && i < wrong.size() && i < elements_followed; ++i) {
      const auto missing = missing_sources(wrong[i].index);
      if (!missing) {
        all_known = false;
      } else if (!missing->empty()) {
        source_not_read(why, wrong[i].index, *missing);
        return;
      }
    }
    const std::string read = reads_text(first.back());
    const std::string written = element(*array_, wrong.front().index);
    const auto [thread, line] = writer(first.back());
    const Sentence by = read.empty()
                            ? say("{element} is written by {thread}, in {line}, which reads nothing for it "
                                  "from global memory.",
                                  written, thread, line)
                            : say("{element} is written by {thread}, in {line}, after reading {read}.",
                                  written, thread, line, read);
    why.causes.emplace_back(by, Detail::Kind::cause, written_by);
    if (all_known) {
      arithmetic(why);
      uneven_reads(why, wrong.front().index);
    }
    std::set<std::uint32_t> read_from;
    for (const simt::Origin& origin : lineage_.read_for(first.back())) read_from.insert(origin.array);
    for (const std::uint32_t array : read_from) formulas(why, array, false);
    formulas(why, *array_, true);
  }

  /// Where no two outputs share a source, as in sums of parts: whether some sources are read more often than others.
  void uneven_reads(Failure& why, std::size_t index) {
    const auto place = [](const BufferElement& e) { return std::pair(e.buffer, e.index); };
    std::set<std::pair<std::size_t, std::size_t>> others;
    for (const BufferElement& e : sources_({buffer_, index + 1})) others.insert(place(e));
    const std::size_t outputs = trace_.arrays[*array_].bytes / element_bytes(*array_);
    std::optional<std::pair<std::string, std::size_t>> least, most;
    for (const BufferElement& e : sources_({buffer_, index})) {
      if (index + 1 < outputs && others.contains(place(e))) return;
      const auto array = array_of(e.buffer);
      if (!array) return;
      const std::size_t bytes = element_bytes(*array), reads = lineage_.reads(*array, e.index * bytes, bytes);
      if (!least || reads < least->second) least = {element(*array, e.index), reads};
      if (!most || reads > most->second) most = {element(*array, e.index), reads};
    }
    if (!most || most->second < 2) return;
    const auto times = [](std::size_t n) { return n == 1 ? say("once") : say("{count} times", n); };
    why.causes.push_back(
        most->second == least->second
            ? say("Every input element is read {times}. Is each added only once?", times(most->second))
            : say("{most} is read {most_times}, and {least} {least_times}.", most->first, times(most->second),
                  least->first, times(least->second)));
  }

  void arithmetic(Failure& why) const {
    why.diagnoses.push_back("wrong-arithmetic");
    why.causes.push_back(say(
        "Everything that the result depends on has been read, and the right elements are written. So look at "
        "the computation: an operator, a factor, a start value, an index into shared memory, or how often a "
        "value is added."));
  }

  void source_not_read(Failure& why, std::size_t element_index,
                       const std::vector<std::pair<std::uint32_t, std::size_t>>& missing) {
    const std::vector<simt::TracedWrite> all = writes(element_index);
    const auto [array, index] = missing.front();
    why.diagnoses.push_back("source-not-read");
    if (array == untouched) {
      why.causes.push_back(say("No kernel has read {array}, on which {element} depends.",
                               reply_.buffer_name(index), element(*array_, element_index)));
      return;
    }
    const std::string read = reads_text(all.back());
    const std::string result = element(*array_, element_index);
    const bool is_itself = array == *array_ && index == element_index;
    const auto [thread, line] = writer(all.back());
    std::string text = is_itself ? say("{result} is to be made of the value that it had. It is written by "
                                       "{thread}, in {line}, which has "
                                       "not read that value, and has not got it from another thread.",
                                       result, thread, line)
                                 : say("{result} depends on {source}. It is written by {thread}, in {line}, "
                                       "which has not read that "
                                       "element before, and has not got it from another thread.",
                                       result, element(array, index), thread, line);
    if (missing.size() > 1)
      text += say(" The same is true of {count:other element} that {result} depends on.", missing.size() - 1,
                  result);
    if (!read.empty()) text += say(" That thread has read {elements}.", read);
    why.causes.push_back(std::move(text));
    formulas(why, array, false);
    formulas(why, *array_, true);
  }

  /// What is odd about how blocks and threads share the elements; empty if nothing is.
  std::string oddity(const simt::AccessFormula& f) const {
    const auto& c = f.coefficient;
    const std::int64_t threads = f.most[simt::thread_x] - f.least[simt::thread_x] + 1;
    const std::int64_t blocks = f.most[simt::block_x] - f.least[simt::block_x] + 1;
    const bool is_plain = c[simt::iteration] == 0 && c[simt::thread_y] == 0 && c[simt::thread_z] == 0 &&
                          c[simt::block_y] == 0 && c[simt::block_z] == 0;
    const std::int64_t width = static_cast<std::int64_t>(std::max(1u, f.bytes / f.element_bytes));
    if (!is_plain || blocks < 2 || threads < 2) return {};
    const std::int64_t apart = std::abs(c[simt::thread_x]);
    const std::int64_t block_threads = f.block[0];
    const std::int64_t reach = std::max(apart, width) * block_threads;
    const std::int64_t step = std::abs(c[simt::block_x]);
    if (apart == 0) return say("All threads of a block take the same element.");
    std::string text;
    if (apart > width) text = say("Neighbouring threads take elements that are {count} apart. ", apart);
    if (step == 0) return text + say("blockIdx is not in the index: every block takes the same elements.");
    if (step != apart * block_threads)
      text += say(
          "Each block begins {step:element} after the one before, and the {threads} threads of a block reach "
          "over {reach}.",
          step, block_threads, reach);
    return text;
  }

  /// By which formulas kernels have accessed the array: the writes alone, or the reads alone.
  void formulas(Failure& why, std::uint32_t array, bool writing) {
    std::size_t shown = 0;
    for (const simt::AccessFormula& f : formulas_) {
      if (f.array != array || (f.access == simt::Access::read) == writing) continue;
      why.formulas.push_back(f);
      if (shown++ == lines_shown) continue;
      const std::string range = simt::range_text(f);
      const std::string where = place(f.where), element = f.name + "[" + simt::index_text(f) + "]";
      const bool is_read = f.access == simt::Access::read, is_write = f.access == simt::Access::write;
      const bool is_wide = f.bytes > f.element_bytes, is_in_loop = f.coefficient[simt::iteration] != 0;
      std::string id = where + (is_read ? " reads " : is_write ? " writes " : " changes ") + element;
      id += ", " + std::to_string(is_wide ? f.bytes : 0) + ", " + range;
      id += std::string(is_in_loop ? ", loop" : "") + (f.first_only ? ", first" : "");
      if (std::ranges::find(why.causes, id, &Detail::id) != why.causes.end()) continue;
      why.causes.emplace_back(
          say("  {line} {is_read?reads|{is_write?writes|changes}} {element}{is_wide?, {bytes} bytes at a "
              "time}{has_range?, for {range}}{is_in_loop? (turn: of the loop, from 0)}{is_first?, when it "
              "comes there for the first time}.",
              where, is_read, is_write, element, is_wide, f.bytes, !range.empty(), range, is_in_loop,
              f.first_only),
          Detail::Kind::cause, std::move(id));
      if (const std::string odd = oddity(f); !odd.empty()) why.causes.push_back("  " + odd);
    }
  }

  const Reply& reply_;
  const Sources& sources_;
  const simt::Trace& trace_;
  simt::Lineage lineage_;
  std::vector<simt::AccessFormula> formulas_;
  simt::Symbolizer symbolizer_;
  std::optional<std::uint32_t> array_; ///< of the buffer with wrong elements
  std::size_t buffer_ = 0;
};

} // namespace

Failure wrong_element(const Reply& reply, std::size_t k, std::size_t index, Did did,
                      const std::string& actual, const std::string& right) {
  const std::string element = reply.buffer_name(k) + "[" + std::to_string(index) + "]";
  const bool is_as_before = reply.unwritten(k, index), was_written = reply.seen_written(k, index);
  const std::string& function = reply.function();
  Failure failure{{"wrong-result"}, {}, {}};
  failure.facts = element + '\n' + actual + '\n' + right;
  if (is_as_before && !was_written) {
    failure.diagnoses.push_back("output-unwritten");
    // On a GPU writes are not recorded, and an output alone does not hold by chance what it held before.
    const bool may_be_written = !reply.times_ms().empty() && reply.direction(k) == Direction::inout;
    failure.sentence =
        may_be_written
            ? say("{function} left {element} as it was; right is {right}.", function, element, right)
            : say("{function} never wrote {element}; right is {right}.", function, element, right);
  } else if (did == Did::computed) {
    failure.sentence = say("{function} computed {element} = {actual}{as_before?, the value that it had "
                           "before}; right is {right}.",
                           function, element, actual, is_as_before, right);
  } else {
    failure.sentence = say(
        "{function} wrote {element} = {actual}{as_before?, the value that it had before}; right is {right}.",
        function, element, actual, is_as_before, right);
  }
  return failure;
}

bool have_no_fractions(const std::vector<WrongElement>& wrong) {
  const auto is_whole = [](double value) { return std::isfinite(value) && std::trunc(value) == value; };
  const double few_digits_left = 0x1p22; // larger floats have no fractions to lose, or one half at most
  return show_rules(wrong) && !common(wrong, [](const WrongElement& e) { return e.actual; }) &&
         std::ranges::all_of(wrong, [&](const WrongElement& e) {
           return is_whole(e.actual) && std::abs(e.actual) < few_digits_left && std::isfinite(e.wanted) &&
                  !is_whole(e.wanted);
         });
}

Rule about_wrong(const Reply& reply, std::size_t k, std::function<bool(std::size_t)> is_right) {
  return Rule([&reply, k, is_right = std::move(is_right)](Failure& failure) {
    if (!failure.wrong.elements.empty() || !failure.findings.empty() || k >= reply.buffers()) return;
    constexpr std::size_t most = 16;
    failure.wrong = {reply.call_text(), reply.buffer_name(k), reply.element_size(k)};
    for (std::size_t i = 0; i < reply.count(k) && failure.wrong.elements.size() < most; ++i)
      if (!is_right(i)) failure.wrong.elements.push_back({.index = i});
  });
}

void explain_wrong(Failure& why, const Reply& reply, std::size_t k, const std::vector<WrongElement>& wrong,
                   const Sources& sources) {
  if (wrong.empty()) return;
  constexpr std::size_t most = 16;
  const auto end = wrong.begin() + static_cast<std::ptrdiff_t>(std::min(wrong.size(), most));
  why.wrong = {reply.call_text(), reply.buffer_name(k), reply.element_size(k), {wrong.begin(), end}};
  if (const std::string rule = rule_of(wrong); !rule.empty()) why.causes.push_back(rule);
  if (reply.trace() && reply.trace()->complete) TraceReader(reply, sources).explain(why, k, wrong);
}

void explain_call(Failure& why, const Reply& reply) {
  if (reply.trace() && reply.trace()->complete && reply.sources())
    TraceReader(reply, reply.sources()).explain_all(why);
}

} // namespace warpbook
