#include "grader/evidence.hpp"

#include <algorithm>
#include <optional>

#include "grader/contract_text.hpp"
#include "grader/repeater.hpp"
#include "grader/say.hpp"
#include "grader/text.hpp"
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
    bool is_shown = false;
    for (const simt::Participant& who : first.finding.participants) {
      const auto evidence = reader.of(first.finding, who);
      first.telling.evidence.push_back(evidence ? evidence_lines(*evidence, symbolizer_)
                                                : std::vector<std::string>());
      is_shown = is_shown || evidence;
    }
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

  void nobody_wrote(const WrongOutput& wrong, const WrongElement& element) {
    for (const simt::AccessFormula& formula : formulas_of(*trace_)) {
      if (formula.array != array_ || formula.access == simt::Access::read) continue;
      const auto line = symbolizer_.locate(formula.where);
      if (!line) continue;
      const auto absent = thread_for(formula, static_cast<std::int64_t>(element.index));
      const simt::TracedLaunch& launch = trace_->launches[formula.launch];
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
      failure_.sentence = say(
          "{element} was never written. It is for {thread}, which line {line} turns away: {comparison}.",
          element_name(wrong, element), thread_name(*absent), refusal->line.line, comparison_text(*refusal));
      add(quoted(refusal->line, symbolizer_));
      return;
    }
  }

  void was_written(const WrongOutput& wrong, const WrongElement& element,
                   const std::vector<simt::TracedWrite>& writes) {
    const simt::TracedWrite& last = writes.back();
    const simt::TracedStep& step = trace_->steps[last.step];
    const GridThread writer{step.launch + 1, trace_->launches[step.launch].kernel, last.thread.block,
                            last.thread.thread};
    const auto reply = calls_.repeat(call_, {watched(writer)}, true);
    if (!reply) return;
    simt::EvidenceReader reader(reply->diaries);
    const auto evidence = reader.of_write(writer.launch, writer.block, writer.thread, wrong.name,
                                          static_cast<std::int64_t>(element.index));
    if (!evidence) return;
    add(say("{element} is written by {thread}", element_name(wrong, element), thread_name(writer)) + ", " +
        quoted(evidence->there.line, symbolizer_));
    add(*evidence);
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
