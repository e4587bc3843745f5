#pragma once
/// What the shape of wrong counts tells: which values were left out, counted twice, or put into another bin.

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "explain.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"

namespace cluster_histogram {

/// A finished call, what it was given and what it should have left.
struct Outcome {
  const Reply& reply;
  const Counter& counter;
  const Input& input;
  unsigned nbins;
  const std::vector<unsigned>& before;
  const std::vector<unsigned>& wanted;
};

inline std::vector<std::string> told(const Outcome& call, const std::string& section) {
  const std::span<const unsigned> bins = call.reply.values<unsigned>(1);
  std::vector<std::string> lines;
  for (unsigned b = 0; b < call.nbins; ++b) {
    if (bins[b] == call.wanted[b]) continue;
    lines.push_back("bins[" + number(b) + "] is " + number(bins[b]) + ", and " + number(call.wanted[b]) +
                    " is expected (" + call.input.what + ")");
    break;
  }
  lines.push_back("In the call " + call.reply.call_text() + ".");
  lines.push_back(handout(section));
  return lines;
}

/// Fails the item if the counts are right but for values out of range.
inline void recognise_range(const Outcome& call) {
  const std::span<const unsigned> bins = call.reply.values<unsigned>(1);
  const unsigned nbins = call.nbins;
  const std::vector<int>& values = call.input.values;
  const std::string section = "Which bin is a value's?";
  const auto is = [&](auto bin) { // what these bins would be: a number at or above nbins is no bin
    std::vector<unsigned> other(nbins);
    for (const int value : values) {
      if (const std::size_t b = bin(value); b < nbins) ++other[b];
    }
    return other != call.wanted && std::equal(other.begin(), other.end(), bins.begin());
  };
  const auto nowhere = std::numeric_limits<std::size_t>::max();
  if (is([=](int v) { return v < 0 ? nowhere : bin_of(v, nbins); })) {
    fail("out-of-range-left-out", "Values below 0 are missing. They count in the first bin.",
         told(call, section));
  }
  if (is([=](int v) { return v > last_bin(nbins) ? nowhere : bin_of(v, nbins); })) {
    fail("out-of-range-left-out", "Values of nbins and more are missing. They count in the last bin.",
         told(call, section));
  }
  if (is([=](int v) { return v < 0 ? nowhere : static_cast<std::size_t>(v); })) {
    fail("out-of-range-left-out",
         "Values out of range are missing. Those below 0 count in the first bin, those of nbins and more in "
         "the last.",
         told(call, section));
  }
  if (is([=](int v) { return v < 0 ? nbins - 1 : bin_of(v, nbins); })) {
    fail("negative-taken-for-large",
         "Values below 0 were counted in the last bin, not in the first. As an unsigned number -1 is the "
         "largest there is; "
         "a comparison of an int with an unsigned makes it one.",
         told(call, section));
  }
  if (is([=](int v) { return static_cast<unsigned>(v) % nbins; }) || is([=](int v) {
        return static_cast<std::size_t>((static_cast<std::int64_t>(v) % nbins + nbins) % nbins);
      })) {
    fail("wrapped-around",
         "Values out of range were counted in the bin of their remainder by nbins. They belong into the "
         "first and the last "
         "bin.",
         told(call, section));
  }
  const auto masked = [=](int v) { return static_cast<unsigned>(v) & (nbins - 1); };
  if (is(masked) || is([=](int v) { return v < 0 ? 0 : masked(v); }) || is([=](int v) {
        return v > last_bin(nbins) ? nbins - 1 : v < 0 ? 0 : masked(v);
      })) {
    fail("masked",
         "Values were counted in bin value & (nbins - 1), which leaves out bits of the value" +
             std::string(std::has_single_bit(nbins) ? "." : ": " + number(nbins) + " is no power of two.") +
             " A value in the range is the number of its bin as it is, and values out of range belong into "
             "the first and the last bin.",
         told(call, section));
  }
  for (unsigned bits = 8; bits < 31; ++bits) {
    if (!is([=](int v) {
          return v < 0 ? 0 : std::min(static_cast<unsigned>(v) & ((1u << bits) - 1), nbins - 1);
        }))
      continue;
    fail("value-cut-off",
         "The counts are those of values that were cut off after " + number(bits) +
             " bits. Any int may come: compare all of it with the number of bins.",
         told(call, section));
  }
}

/// Fails the item if bins from some place on were never written, or got what belongs elsewhere.
inline void recognise_places(const Outcome& call) {
  const std::span<const unsigned> bins = call.reply.values<unsigned>(1);
  const unsigned nbins = call.nbins;
  const unsigned size = call.counter.cluster_size;
  if (size > 1) {
    const unsigned share = (nbins + size - 1) / size;
    std::vector<unsigned> folded(nbins);
    for (unsigned b = 0; b < nbins; ++b) folded[b % share] += call.wanted[b];
    if (folded != call.wanted && std::equal(folded.begin(), folded.end(), bins.begin())) {
      fail("merged-into-first-bins",
           "The counters of all blocks of a cluster were added to the first " + number(share) +
               " bins. Every block owns other bins: in the drawing of the handout, which bin is counter 1 of "
               "block 2?",
           told(call, call.counter.section));
    }
  }
  if (size > 1) { // owner and place of a bin found one way, its number found back another way
    const unsigned share = (nbins + size - 1) / size;
    for (const bool was_dealt : {true, false}) { // to the blocks like cards, or in runs
      std::vector<unsigned> elsewhere(nbins);
      for (unsigned b = 0; b < nbins; ++b) {
        const unsigned place = was_dealt ? b % size * share + b / size : b / share + b % share * size;
        if (place < nbins) elsewhere[place] += call.wanted[b];
      }
      if (elsewhere == call.wanted || !std::equal(elsewhere.begin(), elsewhere.end(), bins.begin())) continue;
      fail("bins-interleaved",
           std::string("The counts are there, in other bins: values were counted in block bin ") +
               (was_dealt ? "% cluster_size, and the counters added as if block r had the bins from "
                            "r * bins_per_block on."
                          : "/ bins_per_block, and the counters added as if block r had the bins r, "
                            "r + cluster_size, r + 2 * cluster_size and so on."),
           told(call, call.counter.section));
    }
  }
  if (const unsigned share = (nbins + size - 1) / std::max(size, 1u); size > 1 && share > 1) {
    std::vector<unsigned> places(share), wanted(share);
    for (unsigned b = 0; b < nbins; ++b) places[b % share] += bins[b], wanted[b % share] += call.wanted[b];
    if (places == wanted) {
      fail("wrong-block",
           "Taken over all blocks of a cluster, the counters are right; block by block they are not. In the "
           "drawing of the handout: bin 6 is whose, and which bin is counter 1 of block 2?",
           told(call, call.counter.section));
    }
  }
  unsigned end = 0; // the right ones
  while (end < nbins && bins[end] == call.wanted[end]) ++end;
  unsigned missing = 0;
  for (unsigned b = end; b < nbins; ++b) {
    if (bins[b] != 0 && bins[b] != call.before[b]) return;
    missing += call.wanted[b];
  }
  if (missing < 2 || end == 0) return;
  std::vector<std::string> lines = told(call, call.counter.section);
  if (size > 1 && end >= nbins / size * size)
    lines.insert(lines.begin(), number(nbins) + " / " + number(size) + " is " + number(nbins / size) +
                                    ", because division rounds down, and " + number(size) +
                                    " times that is " + number(nbins / size * size));
  fail("last-bins-left-out",
       "The bins from " + number(end) + " on have no counts, though " + number(missing) +
           " values belong there.",
       std::move(lines));
}

/// Fails the item if the values that are missing are those of certain blocks, as the launch tells.
inline void recognise_blocks(const Outcome& call) {
  const std::optional<simt::KernelRecord> kernel = only_large_grid(call.reply);
  if (!kernel) return;
  const std::span<const unsigned> bins = call.reply.values<unsigned>(1);
  const std::vector<int>& values = call.input.values;
  const std::size_t block = volume(kernel->block), threads = block * volume(kernel->grid);
  const std::size_t size = volume(kernel->cluster);
  const auto is = [&](auto is_in) { // what these bins would be; a value's reader is a thread in the grid
    std::vector<unsigned> other(call.nbins);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const unsigned bin = bin_of(values[i], call.nbins);
      if (is_in(i, i % threads, bin)) ++other[bin];
    }
    return other != call.wanted && std::equal(other.begin(), other.end(), bins.begin());
  };
  if (is([=](std::size_t i, std::size_t, unsigned) { return i < threads; })) {
    fail("tail-left-out",
         "Every thread takes one value only: the grid has " + number(threads) + " threads, and there are " +
             number(values.size()) + " values. The last " + number(values.size() - threads) +
             " are not counted.",
         told(call, "An atomic for every value"));
  }
  if (size == 1 && is([=](std::size_t, std::size_t reader, unsigned) { return reader < block; })) {
    fail("first-block-only",
         "Only the values of block 0 have arrived, those of the other " + number(threads / block - 1) +
             " blocks have not." +
             (call.counter.says_whether ? " Every block adds up all its counters." : ""),
         told(call, call.counter.section));
  }
  if (size == 1 && is([=](std::size_t, std::size_t reader, unsigned bin) {
        return bin % threads / block == reader / block;
      })) {
    fail("other-counters-per-block",
         "Every bin has the values of one block only: bins 0 to " + number(block - 1) +
             " those of block 0, the next those of block 1. Every block has counters of its own for all "
             "bins, and adds up all of them: its own threads go through them, not those of the grid.",
         told(call, call.counter.section));
  }
  if (size < 2 || call.counter.cluster_size != size) return;
  const std::size_t share = (call.nbins + size - 1) / size;
  if (is([=](std::size_t, std::size_t reader, unsigned) { return reader < size * block; })) {
    fail(
        "first-cluster-only",
        "Only the values of the first cluster have arrived, those of the other " +
            number(threads / block / size - 1) +
            " have not. A block's number in the grid is not its number in the cluster: which bins does block "
            "0 of the second cluster own?",
        told(call, call.counter.section));
  }
  if (values.size() > block && is([=](std::size_t, std::size_t reader, unsigned bin) {
        return bin / share == reader / block % size;
      })) {
    fail("own-bins-only",
         "Counted are only values whose bin belongs to the block that has read them. Those that belong to "
         "another block of the cluster are missing.",
         told(call, call.counter.section));
  }
}

/// Fails the item if values are missing, and it shows which.
inline void recognise_values(const Outcome& call) {
  const std::span<const unsigned> bins = call.reply.values<unsigned>(1);
  const std::vector<int>& values = call.input.values;
  const std::size_t n = values.size();
  const auto is = [&](auto is_in) {
    std::vector<unsigned> other(call.nbins);
    for (std::size_t i = 0; i < n; ++i) {
      if (is_in(i)) ++other[bin_of(values[i], call.nbins)];
    }
    return other != call.wanted && std::equal(other.begin(), other.end(), bins.begin());
  };
  const std::uint64_t total = std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
  if (total < n) {
    const std::size_t first_missing = static_cast<std::size_t>(total);
    if (total > 0 && is([=](std::size_t i) { return i < first_missing; })) {
      fail("tail-left-out",
           "The first " + number(first_missing) + " values are counted, the last " +
               number(n - first_missing) +
               " are not. Either a division has rounded down, or every thread takes one value only and there "
               "are more values than threads" +
               (call.counter.says_whether ? ", or not all blocks add up their counters." : "."),
           told(call, "An atomic for every value"));
    }
    for (std::size_t width = 32; width <= 1024; width *= 2) {
      if (n > width && is([=](std::size_t i) { return i % width == 0; })) {
        fail("one-thread-of-many",
             "Of every " + number(width) +
                 " values one is counted: only one thread of that many does anything.",
             told(call, "An atomic for every value"));
      }
    }
  }
  for (unsigned k = 2; k <= 1024; ++k) {
    bool fits = n >= 31; // of one value any number is the multiple
    for (unsigned b = 0; b < call.nbins && fits; ++b) fits = bins[b] == k * call.wanted[b];
    if (fits) {
      fail("counted-more-than-once",
           "Every count is " + number(k) + " times the right one: every value was counted " + number(k) +
               " times, or the counters were added to `bins` so often. Who reads a value, and who adds a "
               "counter?",
           told(call, call.counter.section));
    }
  }
  for (const unsigned bits : {8u, 16u}) {
    bool fits = true;
    for (unsigned b = 0; b < call.nbins && fits; ++b) fits = bins[b] == call.wanted[b] % (1u << bits);
    if (fits) {
      fail("counter-overflow",
           "Counts are right up to " + number((1u << bits) - 1) + " and begin anew after it: a counter of " +
               number(bits) + " bits is too short.",
           told(call, call.counter.section));
    }
  }
  bool never_too_many = true;
  for (unsigned b = 0; b < call.nbins; ++b) never_too_many = never_too_many && bins[b] <= call.wanted[b];
  const simt::Counters& c = call.reply.counters(); // of the simulator; else zeros
  // More atomics than values are those of who clears or reads his counters by an atomic, too.
  const std::size_t in_shared = c.shared_atomic_lanes + c.remote_shared_atomics;
  if (never_too_many && total < n && in_shared >= n) {
    const bool is_counting_alone = in_shared == n;
    fail(
        "counts-lost",
        number(n - static_cast<std::size_t>(total)) + " of " + number(n) +
            " values are missing, and no bin has too many. " +
            (is_counting_alone ? "All " + number(n) + " were counted by an atomic in shared memory"
                               : number(in_shared) + " atomics in shared memory were made, enough for all") +
            ", so it is the adding up that misses some: are all counters added, and has everybody counted by "
            "then? " +
            (is_counting_alone ? "A barrier inside a loop does not hold those who have left it."
                               : "An atomic waits for nobody: only a barrier between counting and adding up "
                                 "does."),
        told(call, call.counter.section));
  }
  if (never_too_many && total < n) {
    fail("counts-lost",
         number(n - static_cast<std::size_t>(total)) + " of " + number(n) +
             " values are missing, and no bin has too many. Were counters lost, or changed by two threads at "
             "once "
             "without an atomic?",
         told(call, call.counter.section));
  }
  bool never_too_few = true;
  for (unsigned b = 0; b < call.nbins; ++b) never_too_few = never_too_few && bins[b] >= call.wanted[b];
  if (never_too_few && total > n && total < 8 * n) {
    fail("counted-more-than-once",
         "The bins hold " + number(static_cast<std::size_t>(total) - n) + " too many for " + number(n) +
             " values, and no bin has too few: some values are counted more than once. Do two threads take "
             "the same value?",
         told(call, call.counter.section));
  }
}

/// Whether `value` is `before` with none, all, or the first few of its four bytes set to zero.
inline bool is_partly_cleared(unsigned value, unsigned before) {
  for (unsigned bits = 0; bits < 32; bits += 8) {
    if (value == (before & (~0u << bits))) return true;
  }
  return value == 0;
}

/// Nobody has counted, and not all bins were cleared: in an unsolved task that is all that shows.
[[noreturn]] inline void fail_half_cleared(const Outcome& call, unsigned zeros) {
  const int todo = current_item().todo;
  Failure failure{
      {"unsolved", "bins-not-zeroed"},
      call.reply.function() + " has set " + counted(zeros, "bin") + " of " + number(call.nbins) +
          " to 0 and left the others as they were, and nobody has counted. clear() comes first, in TODO(1): "
          "cudaMemsetAsync counts bytes." +
          (todo == 4  ? " Then TODO(3), the kernel."
           : todo > 1 ? " Then TODO(" + std::to_string(todo) + "), if that is still to be written."
                      : ""),
      told(call, "An atomic for every value")};
  point_to(failure, 1);
  fail(std::move(failure));
}

/// Fails the item: with what the shape of the wrong counts tells, or else with the first that differs.
[[noreturn]] inline void fail_counts(const Outcome& call) {
  const std::span<const unsigned> bins = call.reply.values<unsigned>(1);
  const std::size_t n = call.input.values.size();
  if (call.reply.untouched()) {
    if (n >= typical) unsolved(call.reply);
    if (call.counter.says_regime && n != 0) {
      fail("bins-not-overwritten",
           "histogram has returned, and nobody has counted: bins still holds what it held before. Which "
           "function takes these " +
               number(call.nbins) + " bins?",
           told(call, call.counter.section));
    }
    fail("bins-not-overwritten",
         "bins still holds what it held before. " +
             std::string(n == 0 ? "Without values every bin is to be 0." : "Every bin is to be overwritten."),
         told(call, "An atomic for every value"));
  }
  bool all_zero = true, right_or_added = true, untouched_or_cleared = true;
  unsigned zeros = 0;
  for (unsigned b = 0; b < call.nbins; ++b) {
    all_zero = all_zero && bins[b] == 0;
    zeros += bins[b] == 0;
    untouched_or_cleared = untouched_or_cleared && is_partly_cleared(bins[b], call.before[b]);
    right_or_added = right_or_added && is_partly_cleared(bins[b] - call.wanted[b], call.before[b]);
  }
  if (all_zero) {
    const simt::Counters& c = call.reply.counters(); // of the simulator; else zeros
    const std::string section = call.counter.section;
    const bool counted_in_shared = c.shared_atomic_lanes + c.remote_shared_atomics != 0;
    if (c.global_atomic_lanes != 0) {
      fail("cleared-after-counting",
           "All bins are 0, though " + number(c.global_atomic_lanes) +
               " atomics added to them. Were they set to zero after the kernel" +
               (counted_in_shared ? ", or the counters added before anybody had counted?" : "?"),
           told(call, section));
    }
    if (counted_in_shared) {
      fail("counters-not-added",
           "All bins are 0. The values were counted in shared memory, and the counters have not arrived in "
           "`bins`: nobody has added them, or somebody did before the values were counted.",
           told(call, section));
    }
    const std::string sentence = call.reply.function() + " left all bins 0";
    const int todo = current_item().todo;
    if (n >= typical) {
      fail(Failure{{"unsolved", "nothing-counted"},
                   sentence + ": either TODO(" + std::to_string(todo) +
                       ") is still to be written, or nobody has counted." +
                       (todo == 4 ? " The kernel, TODO(3), comes first." : ""),
                   told(call, section)});
    }
    fail("nothing-counted", sentence + ": nobody has counted.", told(call, section));
  }
  if (untouched_or_cleared && zeros != 0 && n >= typical) fail_half_cleared(call, zeros);
  if (right_or_added) {
    Failure failure{
        {"bins-not-zeroed"},
        "The counts were added to what `bins` held before. It holds nothing of use: set all of it to "
        "zero first (cudaMemsetAsync counts bytes).",
        told(call, "An atomic for every value")};
    if (current_item().todo > 1) { // the starter has one function for it
      failure.details.push_back("clear() is of TODO(1), and the others use it.");
      point_to(failure, 1);
    }
    fail(std::move(failure));
  }
  recognise_range(call);
  recognise_blocks(call);
  recognise_places(call);
  recognise_values(call);
  expect_equal(call.reply, 1, call.wanted);
  throw std::logic_error("fail_counts() was called with the right counts");
}

} // namespace cluster_histogram
