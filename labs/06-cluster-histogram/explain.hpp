#pragma once
/// Calls of lab 06 that went wrong, told in the words of the lesson: what the simulator and the grader advise is
/// for any kernel.

#include <algorithm>
#include <string_view>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "messages.hpp"

namespace cluster_histogram {

using namespace warpbook;

inline bool on_sim() { return submission().backend() == Backend::sim; }

/// Whether a finding is about a kernel whose blocks are in clusters.
inline bool is_in_clusters(const simt::Finding& finding) {
  if (const auto* refused = finding.get<simt::Refused>()) return volume(refused->cluster) > 1;
  return std::ranges::any_of(submission().last_kernels(), [&](const simt::KernelRecord& kernel) {
    return kernel.name == finding.kernel && volume(kernel.cluster) > 1;
  });
}

/// What is known of a call that failed.
struct Found {
  const Failure& failure;
  const std::vector<int>& values;
  unsigned nbins;
  unsigned cluster_size; ///< 0: the function takes none

  const simt::Finding& finding() const { return *first_finding(failure); }
  bool is(const char* id) const { return !failure.findings.empty() && is_about(failure, id); }
  bool is_race() const { return is("global-race") || is("shared-race"); }
  bool in_clusters() const { return cluster_size != 0 || any_finding(failure, is_in_clusters); }
  /// Whether the simulator refused a launch by this rule.
  bool was_refused(std::string_view rule) const {
    return any_finding(failure, [&](const simt::Finding& finding) {
      return finding.has<simt::Refused>([&](const auto& refused) { return refused.rule == rule; });
    });
  }
  /// Whether one of the two of a race has done this.
  bool any(simt::Access access) const {
    return std::ranges::any_of(finding().participants,
                               [=](const simt::Participant& party) { return party.access == access; });
  }
  /// Of an access outside of an array: on this side of it.
  bool is_outside(simt::Outside::Side side) const {
    return is("out-of-bounds") && finding().has<simt::Outside>([&](auto& at) { return at.side == side; });
  }
  bool is_past_counters() const {
    return is_outside(simt::Outside::Side::past) && finding().space == simt::Space::shared;
  }
  bool is_past_bins() const {
    return is_outside(simt::Outside::Side::past) && finding().variable == "bins" &&
           !finding().element.empty();
  }
  /// Of one past the counters: how many there are, and which one that would be.
  std::uint64_t counters() const { return finding().get<simt::Outside>()->array_bytes / 4; }
  std::uint64_t counter() const { return counters() + finding().get<simt::Outside>()->distance / 4; }
  /// Of a block that its cluster has not: its rank, and how many blocks there are.
  std::uint64_t rank() const { return finding().get<simt::fact::Rank>()->value[0]; }
  std::uint64_t blocks() const { return finding().get<simt::fact::Rank>()->value[1]; }
};

using Lessons = std::vector<Lesson<Found>>;

/// Of a race in two known lines: whether a barrier or an atomic is what it lacks. The simulator knows a kernel, and not
/// that all that is added up here is counts, and that nothing reaches all blocks but the end of a kernel.
inline const Lessons race_lessons = {
    {[](const Found& f) { return f.failure.places[0] == f.failure.places[1]; }, message("needs-atomic")},
    {[](const Found& f) { // who counts without an atomic has read the bin before
       const simt::Finding& race = f.finding();
       const bool has_zero = race.has<simt::fact::Written>([](const auto& written) {
         return written.value && std::ranges::find(*written.value, 0u) != written.value->end();
       });
       const bool is_alike = race.has(simt::fact::Alike{true});
       return race.id == "global-race" &&
              (has_zero || (f.any(simt::Access::atomic) && !is_alike && f.any(simt::Access::write)));
     },
     message("cleared-while-counting")},
    {[](const Found& f) { return f.is("shared-race") && f.in_clusters(); }, message("needs-barrier")}};

/// Of all other findings: an access beyond an array, a grid without blocks, a block that its cluster has not.
inline const Lessons lessons = {
    {[](const Found& f) { return f.is_past_counters() && f.cluster_size > 1; },
     [](const Found& f) {
       const auto& owner = f.finding().owner;
       return message("bin-taken-for-counter", f.finding().variable, f.counter(), owner.has_value(),
                      owner ? (*owner)[0] : 0, f.counters(), f.counter() < f.nbins);
     }},
    {[](const Found& f) {
       return (f.is_past_counters() && f.counter() == f.nbins) ||
              (f.is_past_bins() && f.cluster_size == 0 && f.finding().element.front() == f.nbins);
     },
     [](const Found& f) { return message("last-bin-passed", f.nbins, f.nbins - 1); }},
    {[](const Found& f) { return f.is_past_bins() && f.cluster_size != 0; }, message("counter-without-bin")},
    {[](const Found& f) {
       return f.is_outside(simt::Outside::Side::before) &&
              std::ranges::any_of(f.values, [](int value) { return value < 0; });
     },
     message("/bin-below-0")},
    // The simulator's advice for a grid without blocks would leave `bins` as they are.
    {[](const Found& f) { return f.was_refused("empty-grid") || f.was_refused("empty-cluster"); },
     [](const Found& f) {
       return f.values.empty() ? message("grid-of-no-blocks/no-values", f.in_clusters())
                               : message("grid-of-no-blocks", f.in_clusters());
     }},
    // The memory of a block that its cluster has not: whose bin is it?
    {[](const Found& f) {
       if (!f.is("cluster-rank")) return false;
       const std::uint64_t rounded_down = f.blocks() == 0 ? 0 : f.nbins / f.blocks();
       return rounded_down != 0 && f.nbins % f.blocks() != 0 && f.rank() <= (f.nbins - 1) / rounded_down;
     },
     [](const Found& f) { return message("/bins-without-owner", f.nbins, f.blocks()); }},
    {[](const Found& f) {
       return f.is("cluster-rank") && f.rank() == f.blocks() && f.nbins % f.blocks() == 0;
     },
     [](const Found& f) { return message("/owner-of-nbins", f.nbins, f.nbins - 1); }},
    {[](const Found& f) { return f.is("cluster-rank"); }, message("/owner-and-place")},
    {[](const Found& f) {
       return f.is("invalid-launch") && f.in_clusters() && f.was_refused("grid-of-whole-clusters");
     },
     message("/blocks-of-whole-clusters")}};

/// A failed call, told in the words of this lab: the simulator's advice is for any kernel.
inline void explain(Failure& failure, const Found& known) {
  if (is_about(failure, "cuda-error") && on_sim())
    failure.details.push_back(message("/error-left-behind").sentence);
  if (failure.findings.empty()) return;
  if (known.is_race() || known.is("uninitialised-read") || known.is("cluster-not-started"))
    hide_element(failure);
  if (known.is_race() && failure.places.size() == 2) {
    advise(failure, race_lessons, known);
    const bool lacks_atomic = has_diagnosis(failure, "needs-atomic");
    if (known.is("shared-race") && !lacks_atomic && !has_diagnosis(failure, "needs-barrier"))
      failure.diagnoses.push_back("needs-barrier"); // of any kind
    if (!known.any(simt::Access::atomic) && !lacks_atomic &&
        !has_diagnosis(failure, "cleared-while-counting"))
      failure.details.push_back(message("/no-barrier-helps").sentence);
  }
  if (known.is("invalid-launch") && known.in_clusters()) point_to(failure, 4);
  advise(failure, lessons, known);
  if (known.is("step-budget")) {
    const bool is_crowded = any_finding(
        failure, [](const simt::Finding& finding) { return finding.has(simt::fact::Crowded{true}); });
    if (known.in_clusters() && is_crowded) point_to(failure, 4);
    failure.details.push_back(message("/slow-loop").sentence);
  }
}

} // namespace cluster_histogram
