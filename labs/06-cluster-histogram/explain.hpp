#pragma once
/// Calls of lab 06 that went wrong, told in the words of the lesson: what the simulator and the grader advise is
/// for any kernel.

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"

namespace cluster_histogram {

using namespace warpbook;

inline bool on_sim() { return submission().backend() == Backend::sim; }

/// Whether a finding is about a kernel whose blocks are in clusters.
inline bool is_in_clusters(const simt::Diagnostic& finding) {
  if (finding.refused) return finding.refused->cluster_blocks > 1;
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

  const simt::Diagnostic& finding() const { return *first_finding(failure); }
  bool is(const char* id) const { return !failure.findings.empty() && is_about(failure, id); }
  bool is_race() const { return is("global-race") || is("shared-race"); }
  bool in_cluster() const { return cluster_size != 0 || any_finding(failure, is_in_clusters); }
  /// Whether the simulator refused a launch by one of these rules.
  bool was_refused(std::initializer_list<std::string_view> rules) const {
    return any_finding(failure, [&](const simt::Diagnostic& finding) {
      return finding.refused && std::ranges::find(rules, finding.refused->rule) != rules.end();
    });
  }
  /// Whether one of the two of a race has done this.
  bool any(simt::Access access) const {
    return std::ranges::any_of(finding().participants,
                               [=](const simt::Participant& party) { return party.access == access; });
  }
  /// Of an access outside of an array: on this side of it.
  bool is_outside(simt::Outside::Side side) const {
    return is("out-of-bounds") && finding().outside && finding().outside->side == side;
  }
  /// Of one behind shared memory: the counters that there are, and which one that would be.
  std::uint64_t counters() const { return finding().outside->array_bytes / 4; }
  std::uint64_t counter() const { return counters() + finding().outside->distance / 4; }
};

using Lessons = std::vector<Lesson<Found>>;

inline const std::string in_one_step = "atomicAdd() reads, adds and writes in one step";

/// Of a race in two known lines: whether a barrier or an atomic is what it lacks. The simulator knows a kernel, and not
/// that all that is added up here is counts, and that nothing reaches all blocks but the end of a kernel.
inline const Lessons race_lessons = {
    {"needs-atomic", [](const Found& f) { return f.failure.places[0] == f.failure.places[1]; },
     [](const Found&) {
       return "both threads are in the same line, and no barrier stands between a line and itself. If they "
              "add to one counter, " +
              in_one_step + "; if not, only one of them may write it.";
     }},
    {"cleared-while-counting", // who counts without an atomic has read the bin before
     [](const Found& f) {
       const simt::Diagnostic& race = f.finding();
       const bool has_zero = race.written && std::ranges::find(*race.written, 0u) != race.written->end();
       return race.id == "global-race" &&
              (has_zero || (f.any(simt::Access::atomic) && !race.alike && f.any(simt::Access::write)));
     },
     "no barrier reaches all blocks, so that inside the kernel nobody knows when the clearing is "
     "over: clear in a call before the kernel, as clear() does."},
    {"needs-barrier", [](const Found& f) { return f.is("shared-race") && f.in_cluster(); },
     "put cluster.sync() between the two accesses, at a place that every thread reaches. Threads of "
     "the other blocks count in this memory, too, and __syncthreads() waits for the own block "
     "alone."}};

inline const std::string section_of_bins = "Which bin is a value's?";
inline const std::string section_of_clusters = "A histogram for every cluster";

inline std::string last_bin_passed(const Found& f) {
  return "The last of " + counted(f.nbins, "bin") + " is number " + number(f.nbins - 1) +
         ": does bin_of return nbins, or a loop go up to it?";
}

/// Of all other findings: an access beyond an array, a grid without blocks, a block that its cluster has not.
inline const Lessons lessons = {
    {"bin-taken-for-counter",
     [](const Found& f) {
       return f.is_outside(simt::Outside::Side::past) && f.finding().space == simt::Space::shared &&
              f.cluster_size > 1;
     },
     [](const Found& f) {
       const simt::Diagnostic& finding = f.finding();
       return "That is " + finding.variable + "[" + number(f.counter()) + "] of " +
              (finding.owner ? "block " + number((*finding.owner)[0]) + ", which has "
                             : "a block that has ") +
              counted(f.counters(), "counter") + ". The number of a bin is not that of its counter" +
              (f.counter() < f.nbins ? ": which of its owner's counters is bin " + number(f.counter()) + "?"
                                     : ".");
     },
     section_of_clusters},
    {"last-bin-passed",
     [](const Found& f) {
       return f.is_outside(simt::Outside::Side::past) && f.finding().space == simt::Space::shared &&
              f.counter() == f.nbins;
     },
     last_bin_passed, section_of_bins},
    {"counter-without-bin",
     [](const Found& f) {
       return f.is_outside(simt::Outside::Side::past) && f.finding().variable == "bins" &&
              !f.finding().element.empty() && f.cluster_size != 0;
     },
     "Which bin is counter b of this block? A block's number in the grid is not its number in the "
     "cluster, and the last block of a cluster may have counters without a bin.",
     section_of_clusters},
    {"last-bin-passed",
     [](const Found& f) {
       return f.is_outside(simt::Outside::Side::past) && f.finding().variable == "bins" &&
              !f.finding().element.empty() && f.finding().element.front() == f.nbins;
     },
     last_bin_passed, section_of_bins},
    {"",
     [](const Found& f) {
       return f.is_outside(simt::Outside::Side::before) &&
              std::ranges::any_of(f.values, [](int value) { return value < 0; });
     },
     "Values below 0 count in the first bin: what does bin_of return for them?", section_of_bins},
    // The simulator's advice for a grid without blocks would leave `bins` as they are.
    {"grid-of-no-blocks",
     [](const Found& f) {
       return f.was_refused({"empty-grid", "empty-cluster"});
     },
     [](const Found& f) -> std::string {
       if (f.values.empty())
         return std::string("launch at least one ") + (f.in_cluster() ? "cluster" : "block") +
                ": with no values there still are bins to write.";
       return f.in_cluster()
                  ? "there are values, and the number of clusters is 0. If it is from "
                    "cudaOccupancyMaxActiveClusters, the device can run no such cluster, or the "
                    "call has failed: look at what it returned."
                  : "there are values, and the number of blocks is 0: has a division rounded down?";
     }},
    // The memory of a block that its cluster has not: whose bin is it?
    {"",
     [](const Found& f) {
       if (!f.is("cluster-rank")) return false;
       const auto [rank, blocks] = *f.finding().rank;
       const std::uint64_t rounded_down = blocks == 0 ? 0 : f.nbins / blocks;
       return rounded_down != 0 && f.nbins % blocks != 0 && rank <= (f.nbins - 1) / rounded_down;
     },
     [](const Found& f) {
       return "If all bins are to have an owner, how many does a block own? Here there are " +
              number(f.nbins) + " bins and " + counted((*f.finding().rank)[1], "block") + ".";
     }},
    {"",
     [](const Found& f) {
       if (!f.is("cluster-rank")) return false;
       const auto [rank, blocks] = *f.finding().rank;
       return rank == blocks && f.nbins % blocks == 0;
     },
     [](const Found& f) {
       return "Bin " + number(f.nbins) + " would have that owner, and the last one is " +
              number(f.nbins - 1) + ": does bin_of return nbins?";
     },
     section_of_bins},
    {"", [](const Found& f) { return f.is("cluster-rank"); },
     "A bin has an owner among the blocks, and a place among the owner's counters: which of your "
     "two numbers is which, and how large can each of them be?"},
    {"",
     [](const Found& f) {
       return f.is("invalid-launch") && f.in_cluster() && f.was_refused({"grid-of-whole-clusters"});
     },
     "config.gridDim counts blocks. How many blocks are the clusters that you want?"}};

/// A failed call, told in the words of this lab: the simulator's advice is for any kernel.
inline void explain(Failure& failure, const Found& known) {
  if (is_about(failure, "cuda-error") && on_sim())
    failure.details.push_back("succeeds(call) takes such an error away, and tells whether there was one.");
  if (failure.findings.empty()) return;
  if (known.is_race() || known.is("uninitialised-read") || known.is("cluster-not-started"))
    hide_element(failure);
  if (known.is_race() && failure.places.size() == 2) {
    advise(failure, race_lessons, known);
    if (known.is("shared-race") && !has_diagnosis(failure, "needs-atomic") &&
        !has_diagnosis(failure, "needs-barrier"))
      failure.diagnoses.push_back("needs-barrier"); // of any kind
    if (!known.any(simt::Access::atomic) && !has_diagnosis(failure, "needs-atomic") &&
        !has_diagnosis(failure, "cleared-while-counting")) {
      failure.details.push_back(
          "Where both threads add to one counter, a barrier does not help: " + in_one_step + ".");
    }
  }
  if (known.is("invalid-launch") && known.in_cluster()) point_to(failure, 4);
  advise(failure, lessons, known);
  if (known.is("step-budget")) {
    const bool is_crowded =
        any_finding(failure, [](const simt::Diagnostic& finding) { return finding.crowded; });
    if (known.in_cluster() && is_crowded) point_to(failure, 4);
    failure.details.push_back(
        "A loop that ends may be as slow: does one thread go through all counters of its block, which all "
        "could share out?");
  }
}

} // namespace cluster_histogram
