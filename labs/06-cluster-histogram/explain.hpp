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

/// Whether the simulator refused a launch by one of these rules.
inline bool was_refused(const Failure& failure, std::initializer_list<std::string_view> rules) {
  return any_finding(failure, [&](const simt::Diagnostic& finding) {
    return finding.refused && std::ranges::find(rules, finding.refused->rule) != rules.end();
  });
}

/// Of a call that asked for the memory of a block that its cluster has not: the lesson's question, whose bin it
/// is.
inline void explain_rank(Failure& failure, unsigned nbins) {
  const auto [asked, blocks] = *first_finding(failure)->rank;
  const unsigned rank = static_cast<unsigned>(asked), size = static_cast<unsigned>(blocks);
  const unsigned rounded_down = size == 0 ? 0 : nbins / size;
  if (rounded_down != 0 && nbins % size != 0 && rank <= (nbins - 1) / rounded_down) {
    advise(failure, "If all bins are to have an owner, how many does a block own? Here there are " +
                        number(nbins) + " bins and " + counted(size, "block") + ".");
    return;
  }
  if (rank == size && nbins % size == 0) {
    advise(failure, "Bin " + number(nbins) + " would have that owner, and the last one is " +
                        number(nbins - 1) + ": does bin_of return nbins?");
    read_on(failure, "Which bin is a value's?");
    return;
  }
  advise(failure,
         "A bin has an owner among the blocks, and a place among the owner's counters: which of your "
         "two numbers is which, and how large can each of them be?");
}

/// Of a race: whether a barrier or an atomic is what it lacks. The simulator knows a kernel, and not that all
/// that is added up here is counts, and that nothing reaches all blocks but the end of a kernel.
inline void explain_race(Failure& failure, bool in_cluster) {
  const std::string in_one_step = "atomicAdd() reads, adds and writes in one step";
  const simt::Diagnostic race = *first_finding(failure);
  if (failure.places.size() != 2) return;
  const auto is_atomic = [](const simt::Participant& party) { return party.access == simt::Access::atomic; };
  const bool has_atomic = std::ranges::any_of(race.participants, is_atomic);
  if (failure.places[0] == failure.places[1]) {
    failure.diagnoses.push_back("needs-atomic");
    advise(failure,
           "both threads are in the same line, and no barrier stands between a line and itself. If they "
           "add to one counter, " +
               in_one_step + "; if not, only one of them may write it.");
    return;
  }
  const auto is_write = [](const simt::Participant& party) { return party.access == simt::Access::write; };
  const bool has_zero = race.written && std::ranges::find(*race.written, 0u) != race.written->end();
  // Who counts without an atomic has read the bin before.
  const bool clears =
      has_zero || (has_atomic && !race.alike && std::ranges::any_of(race.participants, is_write));
  if (race.id == "global-race" && clears) {
    failure.diagnoses.push_back("cleared-while-counting");
    advise(failure,
           "no barrier reaches all blocks, so that inside the kernel nobody knows when the clearing is over: "
           "clear in a call before the kernel, as clear() does.");
    return;
  }
  if (race.id == "shared-race") {
    failure.diagnoses.push_back("needs-barrier");
    if (in_cluster) {
      advise(
          failure,
          "put cluster.sync() between the two accesses, at a place that every thread reaches. Threads of the "
          "other blocks count in this memory, too, and __syncthreads() waits for the own block alone.");
    }
  }
  if (!has_atomic)
    failure.details.push_back(
        "Where both threads add to one counter, a barrier does not help: " + in_one_step + ".");
}

/// Of a grid without blocks: the simulator's advice would leave `bins` as they are.
inline void explain_empty_grid(Failure& failure, std::size_t n, bool in_cluster) {
  failure.diagnoses.push_back("grid-of-no-blocks");
  if (n == 0) {
    advise(failure, std::string("launch at least one ") + (in_cluster ? "cluster" : "block") +
                        ": with no values there still are bins to write.");
  } else if (in_cluster) {
    advise(failure, "there are values, and the number of clusters is 0. If it is from "
                    "cudaOccupancyMaxActiveClusters, the device can run no such cluster, or the call "
                    "has failed: look at what it returned.");
  } else {
    advise(failure, "there are values, and the number of blocks is 0: has a division rounded down?");
  }
}

/// Of an access beyond an array: which counter or bin that would be, and whose number was taken for whose.
inline void explain_bounds(Failure& failure, bool has_negative, unsigned nbins, unsigned cluster_size) {
  using Side = simt::Outside::Side;
  const simt::Diagnostic finding = *first_finding(failure);
  if (!finding.outside) return;
  const simt::Outside& outside = *finding.outside;
  const auto end_passed = [&] {
    failure.diagnoses.push_back("last-bin-passed");
    advise(failure, "The last of " + counted(nbins, "bin") + " is number " + number(nbins - 1) +
                        ": does bin_of return nbins, or a loop go up to it?");
    read_on(failure, "Which bin is a value's?");
  };
  if (finding.space == simt::Space::shared && outside.side == Side::past) {
    const std::uint64_t counters = outside.array_bytes / 4, index = counters + outside.distance / 4;
    if (cluster_size > 1) {
      failure.diagnoses.push_back("bin-taken-for-counter");
      advise(failure,
             "That is " + finding.variable + "[" + number(index) + "] of " +
                 (finding.owner ? "block " + number((*finding.owner)[0]) + ", which has "
                                : "a block that has ") +
                 counted(counters, "counter") + ". The number of a bin is not that of its counter" +
                 (index < nbins ? ": which of its owner's counters is bin " + number(index) + "?" : "."));
      read_on(failure, "A histogram for every cluster");
    } else if (index == nbins) {
      end_passed();
    }
  } else if (finding.variable == "bins" && outside.side == Side::past && !finding.element.empty()) {
    if (cluster_size != 0) {
      failure.diagnoses.push_back("counter-without-bin");
      advise(failure, "Which bin is counter b of this block? A block's number in the grid is not its number "
                      "in the cluster, and the last block of a cluster may have counters without a bin.");
      read_on(failure, "A histogram for every cluster");
    } else if (finding.element.front() == nbins) {
      end_passed();
    }
  } else if (has_negative && outside.side == Side::before) {
    advise(failure, "Values below 0 count in the first bin: what does bin_of return for them?");
    read_on(failure, "Which bin is a value's?");
  }
}

/// Of a launch that did not end: what here is slow, and ends.
inline void explain_slow(Failure& failure) {
  failure.details.push_back(
      "A loop that ends may be as slow: does one thread go through all counters of its block, which all "
      "could share out?");
}

/// A failed call, told in the words of this lab: the simulator's advice is for any kernel.
inline void explain(Failure& failure, const std::vector<int>& values, unsigned nbins, unsigned cluster_size) {
  const auto is = [&](const char* id) { return is_about(failure, id); };
  if (is("cuda-error") && on_sim())
    failure.details.push_back("succeeds(call) takes such an error away, and tells whether there was one.");
  if (failure.findings.empty()) return;
  if (is("global-race") || is("shared-race") || is("uninitialised-read") || is("cluster-not-started"))
    hide_element(failure);
  const bool in_cluster = cluster_size != 0 || any_finding(failure, is_in_clusters);
  if (is("global-race") || is("shared-race")) explain_race(failure, in_cluster);
  if (is("out-of-bounds"))
    explain_bounds(failure, std::ranges::any_of(values, [](int value) { return value < 0; }), nbins,
                   cluster_size);
  if (was_refused(failure, {"empty-grid", "empty-cluster"}))
    explain_empty_grid(failure, values.size(), in_cluster);
  if (is("cluster-rank")) explain_rank(failure, nbins);
  if (is("invalid-launch") && in_cluster) {
    point_to(failure, 4);
    if (was_refused(failure, {"grid-of-whole-clusters"}))
      advise(failure, "config.gridDim counts blocks. How many blocks are the clusters that you want?");
  }
  if (is("step-budget")) {
    const bool is_crowded =
        any_finding(failure, [](const simt::Diagnostic& finding) { return finding.crowded; });
    if (in_cluster && is_crowded) point_to(failure, 4);
    explain_slow(failure);
  }
}

} // namespace cluster_histogram
