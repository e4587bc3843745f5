#pragma once
/// Calls of lab 06 that went wrong, told in the words of the lesson: what the simulator and the grader advise is
/// for any kernel.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "text/pattern.hpp"

namespace cluster_histogram {

using namespace warpbook;

inline bool on_sim() { return submission().backend() == Backend::sim; }

/// Puts the lesson's question in the place of the simulator's advice.
inline void advise(Failure& failure, const std::string& advice) {
  drop_advice(failure);
  failure.details.push_back(advice);
}

/// Puts it in the place of the simulator's advice on the first finding; that on others stays.
inline void try_instead(Failure& failure, const std::string& advice) {
  const auto found = std::ranges::find_if(
      failure.details, [](const std::string& line) { return line.starts_with("  try: "); });
  if (found != failure.details.end())
    *found = "  try: " + advice;
  else
    failure.details.push_back("  try: " + advice);
}

/// The number that follows `before` in a sentence; 0 if there is none.
inline unsigned number_after(const std::string& before, const std::string& sentence) {
  const std::size_t at = sentence.find(before);
  if (at == std::string::npos) return 0;
  return static_cast<unsigned>(std::strtoul(sentence.c_str() + at + before.size(), nullptr, 10));
}

/// Of a call that asked for the memory of a block that its cluster has not: the lesson's question, whose bin it
/// is.
inline void explain_rank(Failure& failure, unsigned nbins) {
  const unsigned rank = number_after("block rank ", failure.sentence);
  const unsigned size = number_after("its cluster has ", failure.sentence);
  const unsigned rounded_down = size == 0 ? 0 : nbins / size;
  if (rounded_down != 0 && nbins % size != 0 && rank <= (nbins - 1) / rounded_down) {
    advise(failure, "If all bins are to have an owner, how many does a block own? Here there are " +
                        number(nbins) + " bins and " + counted(size, "block") + ".");
    return;
  }
  if (rank == size && nbins % size == 0) {
    advise(failure, "Bin " + number(nbins) + " would have that owner, and the last one is " +
                        number(nbins - 1) + ": does bin_of return nbins?");
    failure.details.push_back(handout("Which bin is a value's?"));
    return;
  }
  advise(failure,
         "A bin has an owner among the blocks, and a place among the owner's counters: which of your "
         "two numbers is which, and how large can each of them be?");
}

/// Moves the element that a finding of the simulator is about from the sentence to the details: it is another
/// one in every item, and the same mistake.
inline void move_index_to_details(Failure& failure) {
  static const Pattern element(R"((\w+)\[\d+\]( of block \([\d,]+\))?)");
  const std::optional<Match> found = element.search(failure.sentence);
  if (!found) return;
  const std::string here = (*found)[0];
  const bool is_remote = failure.diagnoses.front() == "cluster-not-started" && found->has(2);
  const std::string any = (*found)[1] + "[…]" + (is_remote ? " of another block" : "");
  failure.sentence.replace(found->position, found->length, any);
  failure.details.insert(failure.details.begin(), "Here it is " + here + ".");
}

/// The two sides of a race, as the first finding tells them: what is done, and the text of its line.
struct Side {
  std::string action, line;
  bool does(const char* what) const { return action.find(what) != std::string::npos; }
};

inline std::vector<Side> sides_of(const Failure& failure) {
  std::vector<Side> sides;
  std::size_t findings = 0;
  for (const std::string& line : failure.details) {
    if (line.starts_with("error: ") && ++findings > 1) break;
    if (line.starts_with("  - ")) sides.push_back({line, ""});
    const std::size_t text = line.find(" | ");
    if (line.starts_with("      ") && text != std::string::npos && !sides.empty())
      sides.back().line = line.substr(text + 3);
  }
  return sides;
}

/// Of a race: whether a barrier or an atomic is what it lacks. The simulator knows a kernel, and not that all
/// that is added up here is counts, and that nothing reaches all blocks but the end of a kernel.
inline void explain_race(Failure& failure, bool in_cluster) {
  const std::string in_one_step = "atomicAdd() reads, adds and writes in one step";
  const std::vector<Side> sides = sides_of(failure);
  if (sides.size() != 2 || failure.places.size() != 2) return;
  const auto is_atomic = [](const Side& side) { return side.does("atomically"); };
  const bool has_atomic = std::ranges::any_of(sides, is_atomic);
  if (failure.places[0] == failure.places[1]) {
    failure.diagnoses.push_back("needs-atomic");
    try_instead(failure,
                "both threads are in the same line, and no barrier stands between a line and itself. If they "
                "add to one counter, " +
                    in_one_step + "; if not, only one of them may write it.");
    return;
  }
  const bool clears = std::ranges::any_of(sides, [&](const Side& side) {
    return side.does("writes") && Pattern(R"(\]\s*=\s*0u?\s*;)").search(side.line);
  });
  if (failure.diagnoses.front() == "global-race" && clears) {
    failure.diagnoses.push_back("cleared-while-counting");
    try_instead(
        failure,
        "no barrier reaches all blocks, so that inside the kernel nobody knows when the clearing is over: "
        "clear in a call before the kernel, as clear() does.");
    return;
  }
  if (failure.diagnoses.front() == "shared-race") {
    failure.diagnoses.push_back("needs-barrier");
    if (in_cluster) {
      try_instead(
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
    try_instead(failure, std::string("launch at least one ") + (in_cluster ? "cluster" : "block") +
                             ": with no values there still are bins to write.");
  } else if (in_cluster) {
    try_instead(failure, "there are values, and the number of clusters is 0. If it is from "
                         "cudaOccupancyMaxActiveClusters, the device can run no such cluster, or the call "
                         "has failed: look at what it returned.");
  } else {
    try_instead(failure, "there are values, and the number of blocks is 0: has a division rounded down?");
  }
}

/// Of an access beyond an array: which counter or bin that would be, and whose number was taken for whose.
inline void explain_bounds(Failure& failure, bool has_negative, unsigned nbins, unsigned cluster_size) {
  static const Pattern shared(
      R"((?:(\d+) bytes? past|just past) the end of the shared variable (\w+)(?: of block \((\d+),\d+,\d+\))?, which has (\d+) bytes)");
  static const Pattern global(R"(past the end of bins.*\(as an index: bins\[(\d+)\]\))");
  const auto end_passed = [&] {
    failure.diagnoses.push_back("last-bin-passed");
    advise(failure, "The last of " + counted(nbins, "bin") + " is number " + number(nbins - 1) +
                        ": does bin_of return nbins, or a loop go up to it?");
    failure.details.push_back(handout("Which bin is a value's?"));
  };
  if (const std::optional<Match> found = shared.search(failure.sentence)) {
    const unsigned long counters = std::stoul((*found)[4]) / 4;
    const unsigned long index = counters + (found->has(1) ? std::stoul((*found)[1]) / 4 : 0);
    if (cluster_size > 1) {
      failure.diagnoses.push_back("bin-taken-for-counter");
      advise(failure,
             "That is " + (*found)[2] + "[" + number(index) + "] of " +
                 (found->has(3) ? "block " + (*found)[3] + ", which has " : "a block that has ") +
                 counted(counters, "counter") + ". The number of a bin is not that of its counter" +
                 (index < nbins ? ": which of its owner's counters is bin " + number(index) + "?" : "."));
      failure.details.push_back(handout("A histogram for every cluster"));
    } else if (index == nbins) {
      end_passed();
    }
  } else if (const std::optional<Match> past = global.search(failure.sentence)) {
    if (cluster_size != 0) {
      failure.diagnoses.push_back("counter-without-bin");
      advise(failure, "Which bin is counter b of this block? A block's number in the grid is not its number "
                      "in the cluster, and the last block of a cluster may have counters without a bin.");
      failure.details.push_back(handout("A histogram for every cluster"));
    } else if (std::stoul((*past)[1]) == nbins) {
      end_passed();
    }
  } else if (has_negative && failure.sentence.find("before the start of") != std::string::npos) {
    advise(failure, "Values below 0 count in the first bin: what does bin_of return for them?");
    failure.details.push_back(handout("Which bin is a value's?"));
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
  const std::string id = failure.diagnoses.empty() ? "" : failure.diagnoses.front();
  const auto says = [&](const std::string& text) {
    return failure.sentence.find(text) != std::string::npos ||
           std::ranges::any_of(failure.details,
                               [&](const std::string& line) { return line.find(text) != std::string::npos; });
  };
  for (const char* finding : {"global-race", "shared-race", "uninitialised-read", "cluster-not-started"}) {
    if (id == finding) move_index_to_details(failure);
  }
  const bool in_cluster = cluster_size != 0 || says("histogram_cluster_kernel");
  if (id == "global-race" || id == "shared-race") explain_race(failure, in_cluster);
  if (id == "out-of-bounds")
    explain_bounds(failure, std::ranges::any_of(values, [](int value) { return value < 0; }), nbins,
                   cluster_size);
  if (says("has a zero in it")) explain_empty_grid(failure, values.size(), in_cluster);
  if (id == "cluster-rank") explain_rank(failure, nbins);
  if (id == "invalid-launch" && in_cluster) {
    point_to(failure, 4);
    if (says("cannot be divided into clusters"))
      advise(failure, "config.gridDim counts blocks. How many blocks are the clusters that you want?");
  }
  if (id == "step-budget" && in_cluster && says("launch fewer blocks")) point_to(failure, 4);
  if (id == "step-budget") explain_slow(failure);
  // The simulator says so where it refuses a launch: here it has refused none.
  const std::string caused = " caused the CUDA error ";
  if (const std::size_t at = failure.sentence.find(caused);
      id == "cuda-error" && on_sim() && at != std::string::npos && says("could not be launched as asked")) {
    failure.sentence = failure.sentence.substr(0, at) + " left a CUDA error behind, " +
                       failure.sentence.substr(at + caused.size());
    failure.details.erase(failure.details.begin());
    failure.details.insert(failure.details.begin(),
                           "No launch has failed, but another call: look at cudaFuncSetAttribute and the "
                           "cudaOccupancy… functions first. succeeds(call) takes the error away, and tells "
                           "whether there was one.");
  }
}

} // namespace cluster_histogram
