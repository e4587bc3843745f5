#include "grader/evidence.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "grader/contract_text.hpp"
#include "grader/repeater.hpp"
#include "grader/say.hpp"
#include "grader/text.hpp"
#include "grader/wrong_values.hpp"
#include "simt/report/evidence.hpp"
#include "simt/trace/formula.hpp"
#include "simt/trace/lineage.hpp"

namespace warpbook {
namespace {

constexpr std::size_t most_findings = 1; ///< mostly the same mistake again
constexpr std::size_t most_elements = 4;

/// A thread of a grid of the call.
struct GridThread {
  std::uint32_t launch = 0; ///< in the trace, from 1 on
  std::string kernel;
  simt::Extent block{}, thread{};
};

simt::Extent index_at(std::uint64_t number, const simt::Extent& extent) {
  return {static_cast<unsigned>(number % extent[0]), static_cast<unsigned>(number / extent[0] % extent[1]),
          static_cast<unsigned>(number / extent[0] / extent[1])};
}

simt::WatchedThread watched(const GridThread& who) { return {who.kernel, who.launch, who.block, who.thread}; }

std::string thread_name(const GridThread& who) {
  const auto text = [](const simt::Extent& at) {
    return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) + ")";
  };
  return say("thread {thread} of block {block}", text(who.thread), text(who.block));
}

class Replay {
public:
  Replay(Failure& failure, Repeater& calls) : failure_(failure), calls_(calls) {}

  void explain() {
    const Failure& told = failure_.smallest ? *failure_.smallest : failure_;
    const auto about = std::ranges::find(told.details, Detail::Kind::call, &Detail::kind);
    call_ = !told.wrong.call.empty()      ? told.wrong.call
            : about != told.details.end() ? about->id
                                          : calls_.latest();
    if (!told.findings.empty())
      explain_finding(told);
    else if (!told.wrong.elements.empty())
      explain_wrong(told.wrong);
    if (lines_.empty()) return;
    drop_details(
        [](const Detail& detail) { return detail.id == written_by; }); // said below, with the numbers
    lines_.insert(lines_.begin(),
                  {say("How it came about, in {call}:", call_), Detail::Kind::evidence, call_});
    std::erase_if(failure_.details,
                  [](const Detail& detail) { return detail.kind == Detail::Kind::example; });
    failure_.causes.insert(failure_.causes.begin(), lines_.begin(), lines_.end());
  }

private:
  void add(const std::string& text) { lines_.emplace_back("  " + text, Detail::Kind::evidence); }
  void add(const simt::Evidence& evidence) {
    for (const std::string& line : evidence_lines(evidence, symbolizer_)) add(line);
  }

  void drop_details(const std::function<bool(const Detail&)>& which) {
    std::erase_if(failure_.details, which);
    std::erase_if(failure_.causes, which);
  }

  /// Below the threads that the finding names; of the smallest call, if that is another one.
  void explain_finding(const Failure& told) {
    ToldFinding first = told.findings.front();
    std::vector<simt::WatchedThread> threads;
    for (const simt::Participant& who : first.finding.participants)
      if (who.thread && who.access) threads.push_back({{}, 0, who.thread->block, who.thread->thread});
    if (threads.empty()) return;
    const auto reply = calls_.repeat(call_, threads, false);
    if (!reply || !is_found_again(first.finding, reply->findings)) return;
    simt::EvidenceReader reader(reply->diaries);
    first.telling = failure_.findings.front().telling;
    first.lessons = failure_.findings.front().lessons;
    first.telling.memory_is_given =
        !first.finding.variable.empty() && first.finding.space == simt::Space::global;
    bool is_shown = false, lacks_block = true;
    for (const simt::Participant& who : first.finding.participants) {
      const auto evidence = reader.of(first.finding, who);
      first.telling.evidence.push_back(evidence ? evidence_lines(*evidence, symbolizer_)
                                                : std::vector<std::string>());
      is_shown = is_shown || evidence;
      lacks_block = lacks_block && evidence && evidence->lacks_block;
    }
    first.telling.lacks_block = lacks_block;
    if (!is_shown) return;
    if (&told != &failure_) {
      drop_details([](const Detail& detail) {
        return detail.kind == Detail::Kind::call ||
               (detail.kind == Detail::Kind::example && detail.id.empty());
      });
      failure_.findings.resize(1);
      if (failure_.message.empty()) failure_.sentence = told.sentence;
    }
    failure_.findings.front() = std::move(first);
  }

  void explain_wrong(const WrongOutput& wrong) {
    const auto seen = calls_.repeat(call_, {}, true);
    if (!seen || !seen->trace || !seen->trace->complete) return;
    trace_ = seen->trace;
    const auto array = std::ranges::find_if(trace_->arrays, [&](const simt::TracedArray& traced) {
      return traced.space == simt::Space::global && traced.name == wrong.name;
    });
    if (array == trace_->arrays.end()) return;
    array_ = static_cast<std::uint32_t>(array - trace_->arrays.begin());
    const simt::Lineage lineage(*trace_);
    for (std::size_t i = 0; i < wrong.elements.size() && i < most_elements && lines_.empty(); ++i) {
      const WrongElement& element = wrong.elements[i];
      const auto writes = lineage.writes(array_, element.index * wrong.element_bytes, wrong.element_bytes);
      if (writes.empty())
        nobody_wrote(wrong, element);
      else
        was_written(wrong, element, writes);
    }
  }

  std::string element_name(const WrongOutput& wrong, const WrongElement& element) const {
    return wrong.name + "[" + std::to_string(element.index) + "]";
  }

  /// The thread of the formula's grid whose access would be to this element.
  std::optional<GridThread> thread_for(const simt::AccessFormula& formula, std::int64_t element) const {
    const simt::TracedLaunch& launch = trace_->launches[formula.launch];
    const std::uint64_t blocks = simt::volume(launch.grid), threads = simt::volume(launch.block);
    constexpr std::uint64_t most = 1 << 22;
    if (blocks * threads > most) return std::nullopt;
    const std::int64_t last = std::min<std::int64_t>(formula.most[simt::iteration], 64);
    for (std::uint64_t b = 0; b < blocks; ++b)
      for (std::uint64_t t = 0; t < threads; ++t) {
        const simt::Extent block = index_at(b, launch.grid), thread = index_at(t, launch.block);
        const auto& c = formula.coefficient;
        std::int64_t index = formula.constant;
        for (int d = 0; d < 3; ++d)
          index += c[static_cast<std::size_t>(simt::thread_x + d)] * thread[static_cast<std::size_t>(d)] +
                   c[static_cast<std::size_t>(simt::block_x + d)] * block[static_cast<std::size_t>(d)];
        for (std::int64_t turn = 0; turn <= last; ++turn)
          if (index + turn * c[simt::iteration] == element)
            return GridThread{formula.launch + 1, formula.kernel, block, thread};
      }
    return std::nullopt;
  }

  /// A thread that has made the access.
  std::optional<GridThread> one_that_made(const simt::AccessFormula& formula) const {
    for (const simt::TracedStep& step : trace_->steps) {
      if (step.kind != simt::TracedStep::Kind::access || step.launch != formula.launch ||
          step.array != array_ || trace_->sites[step.site] != formula.where)
        continue;
      const simt::TracedLaunch& launch = trace_->launches[step.launch];
      const auto lane = static_cast<unsigned>(std::countr_zero(step.lanes));
      return GridThread{step.launch + 1, launch.kernel, index_at(step.block, launch.grid),
                        index_at(step.first_thread + lane, launch.block)};
    }
    return std::nullopt;
  }

  /// Where each thread that writes is to write the element of its own number: the thread of this number.
  std::optional<GridThread> thread_of_number(const simt::AccessFormula& formula, std::uint64_t number) const {
    const simt::TracedLaunch& launch = trace_->launches[formula.launch];
    const auto& c = formula.coefficient;
    const std::uint64_t threads = simt::volume(launch.block);
    if (c[simt::thread_x] != 1 || c[simt::iteration] != 0 || formula.constant != 0 ||
        launch.block[0] != threads || launch.grid[0] != simt::volume(launch.grid) ||
        number >= threads * launch.grid[0] || formula.least[simt::block_x] != 0)
      return std::nullopt;
    return GridThread{formula.launch + 1, formula.kernel, index_at(number / threads, launch.grid),
                      index_at(number % threads, launch.block)};
  }

  /// Whether one thread of a block at most makes the access: an index shows nothing of the others' then.
  static bool has_one_writer(const simt::AccessFormula& formula) {
    return formula.coefficient[simt::thread_x] == 0 && formula.coefficient[simt::thread_y] == 0 &&
           formula.coefficient[simt::thread_z] == 0;
  }
  /// The first thread of the grid that has not made the access.
  std::optional<GridThread> one_without(const simt::AccessFormula& formula) const {
    const simt::TracedLaunch& launch = trace_->launches[formula.launch];
    std::set<std::pair<std::uint32_t, std::uint32_t>> with;
    for (const simt::TracedStep& step : trace_->steps) {
      if (step.kind != simt::TracedStep::Kind::access || step.launch != formula.launch ||
          step.array != array_ || step.access == simt::Access::read)
        continue;
      for (std::uint32_t lanes = step.lanes; lanes != 0; lanes &= lanes - 1)
        with.emplace(step.block, step.first_thread + static_cast<std::uint32_t>(std::countr_zero(lanes)));
    }
    const std::uint64_t threads = simt::volume(launch.block);
    for (std::uint32_t t = 0; t < threads; ++t) // of the first block: there are others as a rule
      if (!with.contains({0, t}))
        return GridThread{formula.launch + 1, formula.kernel, {}, index_at(t, launch.block)};
    return std::nullopt;
  }

  void nobody_wrote(const WrongOutput& wrong, const WrongElement& element) {
    for (const simt::AccessFormula& formula : formulas_of(*trace_)) {
      if (formula.array != array_ || formula.access != simt::Access::write) continue;
      const auto line = symbolizer_.locate(formula.where);
      if (!line) continue;
      const bool is_constant =
          std::ranges::count(formula.coefficient, 0) == simt::variables; // or an index of any kind
      auto absent =
          is_constant ? std::nullopt : thread_for(formula, static_cast<std::int64_t>(element.index));
      if (!absent && !is_constant) absent = thread_of_number(formula, element.index);
      const bool is_its = absent.has_value();
      if (!absent && has_one_writer(formula)) absent = one_without(formula);
      const simt::TracedLaunch& launch = trace_->launches[formula.launch];
      if (!absent && is_constant) continue;
      if (!absent) {
        add(say("{element} has no thread: line {line} writes {name}[{index}], and {kernel} has "
                "{blocks:block} of {threads:thread}.",
                element_name(wrong, element), line->line, wrong.name, index_text(formula), formula.kernel,
                simt::volume(launch.grid), simt::volume(launch.block)));
        continue;
      }
      const auto present = one_that_made(formula);
      if (!present) continue;
      const auto reply = calls_.repeat(call_, {watched(*absent), watched(*present)}, true);
      if (!reply) return;
      simt::EvidenceReader reader(reply->diaries);
      const auto refusal = reader.refusal(absent->launch, {absent->block, absent->thread},
                                          {present->block, present->thread}, *line);
      if (!refusal) continue;
      // What the thread was asked says more than any advice on threads that are missing.
      failure_.sentence = say("{element} was never written. {is_its?It is for|Nothing was written by} "
                              "{thread}, which line {line} turns away: "
                              "{comparison}.",
                              element_name(wrong, element), is_its, thread_name(*absent), refusal->line.line,
                              comparison_text(*refusal));
      add(quoted(refusal->line, symbolizer_));
      for (const simt::ShownValues& origin : refusal->origins) add("    " + origin_text(origin, symbolizer_));
      return;
    }
  }

  /// Where the lane of the thread is, in the step; nothing if it took no part.
  std::optional<std::uint64_t> offset_in(const simt::TracedStep& step, const simt::TracedStep& as,
                                         std::uint32_t lane) const {
    if (step.launch != as.launch || step.block != as.block || step.first_thread != as.first_thread ||
        (step.lanes >> lane & 1) == 0)
      return std::nullopt;
    return step.offsets[static_cast<std::size_t>(std::popcount(step.lanes & ((1U << lane) - 1)))];
  }

  /// The thread that wrote to shared memory what a lane took from there last before a step.
  std::optional<GridThread> filler(std::size_t until, std::uint32_t lane) const {
    const simt::TracedStep& as = trace_->steps[until];
    const simt::TracedStep* read = nullptr;
    std::uint64_t place = 0;
    for (std::size_t s = until; s-- > 0;) {
      const simt::TracedStep& step = trace_->steps[s];
      if (!step.is_inside() || step.array == simt::TracedStep::no_array) continue;
      if (!read) {
        const auto at = step.access == simt::Access::read ? offset_in(step, as, lane) : std::nullopt;
        if (!at) continue;
        if (trace_->arrays[step.array].space != simt::Space::shared) return std::nullopt;
        read = &step;
        place = *at;
      } else if (step.access != simt::Access::read && step.array == read->array &&
                 step.owner == read->owner) {
        for (std::uint32_t rest = step.lanes, k = 0; rest != 0; rest &= rest - 1, ++k) {
          if (step.offsets[k] != place) continue;
          const simt::TracedLaunch& launch = trace_->launches[step.launch];
          return GridThread{
              step.launch + 1, launch.kernel, index_at(step.block, launch.grid),
              index_at(step.first_thread + static_cast<unsigned>(std::countr_zero(rest)), launch.block)};
        }
      }
    }
    return std::nullopt;
  }

  void was_written(const WrongOutput& wrong, const WrongElement& element,
                   const std::vector<simt::TracedWrite>& writes) {
    const simt::TracedWrite& last = writes.back();
    const simt::TracedStep& step = trace_->steps[last.step];
    const GridThread writer{step.launch + 1, trace_->launches[step.launch].kernel, last.thread.block,
                            last.thread.thread};
    const auto source = filler(last.step, last.thread.lane);
    std::vector<simt::WatchedThread> threads = {watched(writer)};
    if (source) threads.push_back(watched(*source));
    const auto reply = calls_.repeat(call_, threads, true);
    if (!reply) return;
    simt::EvidenceReader reader(reply->diaries);
    const std::vector<std::int64_t> index = {static_cast<std::int64_t>(element.index)};
    auto evidence = reader.of_write(writer.launch, writer.block, writer.thread, wrong.name, index);
    if (!evidence) return;
    if (!element.should_stay) evidence->passed.clear(); // it was not to be turned away
    // What was moved through shared memory has come from there: the read of it alone matters then.
    const auto place = reader.read_last(writer.launch, writer.block, writer.thread, wrong.name, index);
    const bool is_moved =
        source && place && !evidence->reads.empty() && evidence->reads.back().elements == place_name(*place);
    if (is_moved) evidence->reads.erase(evidence->reads.begin(), evidence->reads.end() - 1);
    add(say("{element} is written by {thread}", element_name(wrong, element), thread_name(writer)) + ", " +
        quoted(evidence->there.line, symbolizer_));
    add(*evidence);
    if (!is_moved) return;
    auto before =
        reader.of_write(source->launch, source->block, source->thread, place->variable, place->element);
    if (!before) return;
    before->passed.clear();
    add(say("{element} is written by {thread}", place_name(*place), thread_name(*source)) + ", " +
        quoted(before->there.line, symbolizer_));
    add(*before);
  }

  static std::string place_name(const simt::Place& place) {
    std::string name = place.variable;
    for (const std::int64_t index : place.element) name += "[" + std::to_string(index) + "]";
    return name;
  }

  Failure& failure_;
  Repeater& calls_;
  std::string call_;
  std::shared_ptr<const simt::Trace> trace_;
  std::uint32_t array_ = 0;
  simt::Symbolizer symbolizer_;
  Details lines_;
};

} // namespace

void add_evidence(Failure& failure, Repeater& calls) {
  try {
    Replay(failure, calls).explain();
  } catch (const std::exception&) { // what a module that the submission is part of has said
  }
}

} // namespace warpbook
