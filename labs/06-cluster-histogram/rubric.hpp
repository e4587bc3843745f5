#pragma once
/// What the rubrics of lab 06's tasks share: a call that must count right, the shapes of wrong counts, and what was
/// moved. The calls themselves are in cases.hpp.

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "explain.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"

namespace cluster_histogram {

// ---- wrong counts --------------------------------------------------------------------------------------

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

/// Counters of a kernel that has asked for no more than it has anyhow.
constexpr unsigned counters_unasked = 48 * 1024 / 4;

/// Counters of a block where a cluster shares out the bins evenly.
inline unsigned even_share(unsigned nbins, unsigned cluster_size) {
  const unsigned size = std::max(cluster_size, 1u);
  return (nbins + size - 1) / size;
}

/// Fails with the id `refused` if the function said that it cannot.
inline void expect_taken(const Reply& reply, const Counter& counter, unsigned nbins) {
  if (!counter.says_whether || reply.returned<bool>()) return;
  const unsigned size = std::max(counter.cluster_size, 1u), share = even_share(nbins, size);
  const bool is_unasked = share <= counters_unasked;
  std::string causes; // those that this call can have
  if (size > 8)
    causes += " A kernel with clusters of more than 8 blocks has to allow that they are not portable.";
  if (!std::has_single_bit(size)) causes += " The size of a cluster need not be a power of two.";
  std::vector<std::string> lines;
  if (counter.cluster_size != 0) {
    lines.push_back(
        "cudaOccupancyMaxActiveClusters judges the kernel as it is when it is asked: are its attributes "
        "set before that?");
  }
  lines.push_back("In the call " + reply.call_text() + ".");
  lines.push_back(handout(!causes.empty()                           ? "Launching clusters"
                          : is_unasked && counter.cluster_size != 0 ? "How many clusters?"
                                                                    : "How much shared memory?"));
  Failure failure{{"refused"},
                  reply.function() + " said that it cannot count here." + causes + " " + number(nbins) +
                      " counters of 4 bytes in " + counted(size, "block") + " are " + number(share * 4) +
                      " bytes a block, and a block may have " +
                      (is_unasked
                           ? "48 KiB without asking."
                           : number(fitting_counters() * 4) + ", if the kernel asks for more than 48 KiB."),
                  std::move(lines)};
  if (counter.cluster_size != 0) point_to(failure, 4);
  fail(std::move(failure));
}

/// Bytes of shared memory that a block of histogram_cluster had with so many bins and clusters of 2; none if that is
/// not known.
inline std::optional<std::size_t> bytes_of_a_block(unsigned nbins) {
  try {
    const Reply reply = cluster(2).call(CallOptions{}, {0}, std::vector<unsigned>(nbins), nbins);
    for (const simt::KernelRecord& kernel : reply.kernels()) {
      if (volume(kernel.cluster) == 2) return kernel.shared_bytes;
    }
  } catch (const ItemFailed&) { // then that is not what this failure is about
  }
  return std::nullopt;
}

/// Of a call of histogram_cluster that was refused or could not be launched: whether its blocks have counters for
/// more bins than their share, and could not have been launched for that. Small launches tell.
inline void blame_shares(Failure& failure, unsigned nbins, unsigned size) {
  static const std::vector<std::string> of_launches = {"refused", "invalid-launch", "unchecked-launch",
                                                       "cuda-error"};
  if (size < 2 || std::ranges::find(of_launches, failure.diagnoses.front()) == of_launches.end()) return;
  const unsigned share = even_share(nbins, size);
  const bool all_are_too_many =
      nbins > fitting_counters() || (share <= counters_unasked && nbins > counters_unasked && size <= 8);
  const bool one_is_too_many = share == fitting_counters() || share == counters_unasked;
  if (!all_are_too_many && !one_is_too_many) return;
  if (!on_sim()) { // nothing tells what was launched
    if (share > counters_unasked || !all_are_too_many) return;
    failure.details.push_back(
        "Shared out, the counters are " + number(share * 4) +
        " bytes a block: does bins_per_block say how many bins a block owns, or how many there are?");
    return;
  }
  const std::optional<std::size_t> small = bytes_of_a_block(1000), twice = bytes_of_a_block(2000);
  if (!small || !twice) return;
  const std::string seen = "With 2,000 bins and clusters of 2 a block has " + number(*twice) +
                           " bytes of shared memory; 4,000 are enough.";
  if (all_are_too_many && *twice - *small == 4000) {
    failure.diagnoses.insert(failure.diagnoses.begin(), "bins-not-shared-out");
    failure.sentence = "histogram_cluster cannot count " + number(nbins) + " bins in " +
                       counted(size, "block") + ", because each block has counters for all of them, " +
                       number(std::size_t{nbins} * 4) + " bytes. Shared out they are " + number(share * 4) +
                       " bytes a block. bins_per_block says how many bins a block owns.";
  } else if (one_is_too_many && *small == 2004 && *twice == 4004) {
    failure.diagnoses.insert(failure.diagnoses.begin(), "more-counters-than-bins");
    failure.sentence =
        "histogram_cluster cannot count " + number(nbins) + " bins in " + counted(size, "block") +
        ", which have room for exactly so many: a block has 4 bytes more than its share of the counters "
        "takes. "
        "Does bins_per_block give one too many where the cluster size divides the number of bins?";
  } else {
    return;
  }
  std::erase_if(failure.details, [](const std::string& line) {
    return line.starts_with("  try: ") || line.starts_with("cudaOccupancy") || line.starts_with("Handout: ");
  });
  failure.details.insert(failure.details.begin(), seen);
  failure.details.push_back(handout("A histogram for every cluster"));
  point_to(failure, 3);
}

/// Where a function may say that it cannot: either it does, and has changed nothing, or the counts are right.
/// Of more than largest_cluster blocks no device makes a cluster.
inline void expect_left_alone(const Reply& reply, const Counter& counter, const Input& input, unsigned nbins,
                              const std::vector<unsigned>& before) {
  if (reply.returned<bool>()) {
    const std::vector<unsigned> wanted = histogram_of(input.values, nbins);
    const std::span<const unsigned> bins = reply.values<unsigned>(1);
    if (std::equal(wanted.begin(), wanted.end(), bins.begin())) return;
    fail("claims-too-much",
         reply.function() +
             " returned true and has not counted. Where the device cannot do what was asked for, a launch "
             "fails, and nobody counts: find out before it, and return false.",
         told({reply, counter, input, nbins, before, wanted}, "How much shared memory?"));
  }
  if (!reply.untouched()) {
    fail("changed-and-refused",
         reply.function() + " returned false, and has changed `bins` all the same. Decide first, then clear.",
         {"In the call " + reply.call_text() + ".", handout("How much shared memory?")});
  }
}

inline Reply count_and_check(const Counter& counter, const Input& input, unsigned nbins, Schedule schedule);

/// The function that histogram() says it has called, and its TODO.
struct Called {
  Counter counter;
  std::string name;
  int todo;
};

/// The smallest power of two of blocks that hold the counters, if 16 do.
inline unsigned enough_blocks(unsigned nbins) {
  unsigned size = 2;
  while (size < largest_cluster && even_share(nbins, size) > fitting_counters()) size *= 2;
  return size;
}

inline Called called_by_histogram(const Reply& reply, unsigned nbins) {
  const Regime said = reply.returned<Regime>();
  if (said == Regime::shared) return {shared(), "histogram_shared", 2};
  if (said != Regime::distributed) return {global(), "histogram_global", 1};
  std::size_t size = enough_blocks(nbins);
  for (const simt::KernelRecord& kernel : reply.kernels()) size = std::max(size, volume(kernel.cluster));
  return {cluster(static_cast<unsigned>(size)), "histogram_cluster", 3};
}

/// Fails the item if it is not histogram() that is wrong, but what it says it has called.
inline void blame_what_was_called(const Reply& reply, const Input& input, unsigned nbins, Schedule schedule) {
  const Called called = called_by_histogram(reply, nbins);
  try {
    count_and_check(called.counter, input, nbins, schedule);
  } catch (ItemFailed& failed) {
    if (has_diagnosis(failed.failure, "missing-function") || has_diagnosis(failed.failure, "refused"))
      return; // then it has called something else
    failed.failure.sentence = "histogram counts wrong, because " + called.name +
                              " does. Mend that first: " + failed.failure.sentence;
    if (failed.failure.places.empty() && failed.failure.todos.empty()) point_to(failed.failure, called.todo);
    throw;
  }
}

/// The call, which must not be refused, nor its launch.
inline Reply take(const Counter& counter, const CallOptions& options, const Input& input,
                  const std::vector<unsigned>& before, unsigned nbins) {
  try {
    Reply reply = counter.call(options, input.values, before, nbins);
    expect_taken(reply, counter, nbins);
    return reply;
  } catch (ItemFailed& failed) {
    blame_shares(failed.failure, nbins, counter.cluster_size);
    throw;
  }
}

/// Counts, and requires the exact counts.
inline Reply count_and_check(const Counter& counter, const Input& input, unsigned nbins, Schedule schedule) {
  // Not zero, and small enough for sums of old and new to be known as such.
  const std::vector<unsigned> before = random_integers<unsigned>(nbins, 1'000'000, 2'000'000'000);
  const std::vector<unsigned> wanted = histogram_of(input.values, nbins);
  Reply reply = take(counter, CallOptions{.schedule = schedule, .sites = true}, input, before, nbins);
  const std::span<const unsigned> bins = reply.values<unsigned>(1);
  if (std::equal(wanted.begin(), wanted.end(), bins.begin())) return reply;
  if (counter.says_regime && !reply.untouched()) blame_what_was_called(reply, input, nbins, schedule);
  try {
    fail_counts({reply, counter, input, nbins, before, wanted});
  } catch (ItemFailed& failed) { // values have arrived: it is the kernel that loses some, not the launch
    const std::string& id = failed.failure.diagnoses.front();
    if (counter.cluster_size != 0 && id != "unsolved" && id != "nothing-counted" &&
        id != "bins-not-overwritten")
      point_to(failed.failure, 3);
    throw;
  }
}

/// The same for the sizes up to `most`, after `typical`, with values of all bins.
inline void check_sizes(const Counter& counter, unsigned nbins, Schedule schedule, std::size_t most = 4999) {
  const auto check = [&](std::size_t n) { count_and_check(counter, in_range(n, nbins), nbins, schedule); };
  check_and_shrink(typical, sizes(257), check);
  for (const std::size_t n : sizes(most)) check(n);
}

/// On a GPU: more values than an int can count, spread over the bins, and then all in one of them.
inline void check_beyond_int(const Counter& counter, unsigned nbins) {
  if (!has_room_for(beyond_int * sizeof(int))) return;
  bool is_spread = true;
  for (const Distribution values : {whole_numbers(-5, nbins + 5.0), constant(nbins / 2)}) {
    const std::uint64_t seed = next_seed();
    const CallOptions options{.timeout = std::chrono::seconds(60)};
    const Reply reply = counter.generated(options, values, seed, beyond_int, nbins);
    expect_taken(reply, counter, nbins);
    const std::vector<unsigned> wanted = histogram_of(values, seed, beyond_int, nbins);
    const std::span<const unsigned> bins = reply.values<unsigned>(1);
    if (!std::equal(wanted.begin(), wanted.end(), bins.begin())) {
      const std::uint64_t total = std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
      const std::vector<std::string> lines = {
          number(beyond_int) + " values, and the counts of all bins together are " + number(total),
          "In the call " + reply.call_text() + "."};
      if (is_spread && total < beyond_int) {
        fail("index-in-32-bits",
             "Values are missing. Smaller arrays come out right: does every index, every product and every "
             "number of "
             "values have more than 32 bits?",
             lines);
      }
      if (!is_spread) {
        fail("counter-overflow",
             "As many values spread over all bins come out right, and all in one bin do not: some counter on "
             "the way is too "
             "short for them.",
             lines);
      }
    }
    expect_equal(reply, 1, wanted);
    is_spread = false;
  }
}

// ---- what was moved ------------------------------------------------------------------------------------

/// Every value is read once, by lanes on neighbouring ones.
inline void expect_read_once(const Reply& reply, std::size_t n, unsigned nbins) {
  const simt::Counters& c = reply.counters();
  const std::size_t bytes = n * sizeof(int);
  std::vector<std::string> lines = costly_lines(reply, &simt::Counters::global_load_sectors,
                                                &simt::Counters::global_load_requests, "sectors");
  lines.insert(lines.begin(), number(c.global_load_requests) + " requests, " + number(c.global_load_sectors) +
                                  " sectors of 32 bytes and " + number(c.global_load_bytes) +
                                  " bytes read; the values have " + number(bytes) + " bytes");
  lines.push_back("In the call " + reply.call_text() + ".");
  lines.push_back(handout("An atomic for every value"));
  // What blocks tell each other, also if they leave their counters to a second kernel.
  const std::size_t further = bytes / 16 + counting_grid(reply).blocks * nbins * sizeof(unsigned);
  if (c.global_load_bytes > bytes + further) {
    fail("read-again",
         "The counts are right, but " + number(c.global_load_bytes) +
             " bytes were read where the values have " + number(bytes) +
             ". Does more than one thread read the same value?",
         lines);
  }
  if (c.global_load_sectors > (bytes + further) / 32 + 1) {
    fail("uncoalesced",
         "The counts are right, but the lanes of a warp are not on neighbouring values at the same time: " +
             number(c.global_load_sectors) + " sectors were read where " + number((bytes + 31) / 32) +
             " are enough.",
         lines);
  }
  expect_between("bytes read", static_cast<double>(c.global_load_bytes), static_cast<double>(bytes),
                 static_cast<double>(bytes + further), "too-few-bytes",
                 "Fewer bytes were read than the values have.");
}

/// The block that reads a value first in some schedule. Found out by a call without values: the first read fails
/// it, and the simulator says whose it was. None if nobody in a kernel reads.
inline std::optional<std::array<unsigned, 3>> first_reader(const Counter& counter, std::size_t n,
                                                           unsigned nbins, Schedule schedule) {
  try {
    counter.without_values(CallOptions{.schedule = schedule}, n, nbins);
  } catch (const ItemFailed& failed) {
    static const std::regex block(R"(block \((\d+),\s*(\d+),\s*(\d+)\))");
    std::smatch found;
    if (!has_diagnosis(failed.failure, "out-of-bounds")) return {};
    for (const std::string& line : failed.failure.details) {
      if (!line.starts_with("  - ") || !std::regex_search(line, found, block)) continue;
      const auto at = [&](std::size_t k) { return static_cast<unsigned>(std::stoul(found.str(k))); };
      return std::array{at(1), at(2), at(3)};
    }
  }
  return {};
}

/// Whether the same block or cluster of this shape reads first in all schedules; false where nobody knows.
inline bool all_but_one_idle(const std::array<unsigned, 3>& shape, const Counter& counter, std::size_t n,
                             unsigned nbins) {
  std::optional<std::array<unsigned, 3>> first;
  for (const Schedule schedule : schedules()) {
    std::optional<std::array<unsigned, 3>> part = first_reader(counter, n, nbins, schedule);
    if (!part) return false;
    for (std::size_t k = 0; k < 3; ++k) (*part)[k] /= shape[k];
    if (first && first != part) return false;
    first = part;
  }
  return true;
}

/// More than one block must count so many values, and more than one cluster where there are several. Counters
/// of the simulator do not tell blocks apart. But one schedule lets the first block begin and another one the
/// last: if both count, it is not the same one that reads first.
inline void expect_several_count(const Reply& reply, const Counter& counter, std::size_t n, unsigned nbins) {
  const auto kernel = std::ranges::find_if(
      reply.kernels(), [&](const simt::KernelRecord& k) { return k.counters.global_load_bytes != 0; });
  if (kernel == reply.kernels().end()) return;
  // Who does a few values in a kernel before the large one may have one block for them.
  if (2 * kernel->counters.global_load_bytes < n * sizeof(int)) return;
  const bool in_clusters = counter.cluster_size != 0;
  const std::string part = in_clusters ? "cluster" : "block";
  const std::array<unsigned, 3> shape = in_clusters ? kernel->cluster : std::array{1u, 1u, 1u};
  const std::size_t parts = volume(kernel->grid) / volume(shape);
  if (in_clusters && parts == 1) return; // as the starter launches it: TODO(4) has an item for that
  if (parts > 1) {
    // Fewer values take less time, and a good launch may have one block for them.
    if (!all_but_one_idle(shape, counter, n / 8, nbins)) return;
    if (!all_but_one_idle(shape, counter, n, nbins)) return;
  }
  fail("one-" + part + "-counts",
       "The counts are right, but " +
           (parts == 1 ? "the grid has one block"
                       : "one " + part + " of " + number(parts) + " does all the work") +
           ", and " + number(n) + " values are enough for every multiprocessor. Let every " + part +
           " of a large grid count a part of them.",
       {"In the call " + reply.call_text() + ".", handout("An atomic for every value")});
}

/// The same in all schedules, and of a call in which threads have more than one value: only then it shows who
/// has neighbouring ones, and who has none.
inline void check_reading(const Counter& counter, std::size_t n, unsigned nbins) {
  for (const Schedule schedule : schedules())
    expect_read_once(count_and_check(counter, in_range(n, nbins), nbins, schedule), n, nbins);
  const Reply reply = count_and_check(counter, in_range(large_on_sim, nbins), nbins, Schedule::forward);
  expect_read_once(reply, large_on_sim, nbins);
  expect_several_count(reply, counter, large_on_sim, nbins);
}

/// Atomics in shared and in global memory, in words.
inline std::vector<std::string> atomics(const Reply& reply, const std::string& section) {
  const simt::Counters& c = reply.counters();
  const Launched grid = counting_grid(reply);
  return {number(c.shared_atomic_lanes) + " atomics in the block's own shared memory, " +
              number(c.remote_shared_atomics) + " in another block's, " + number(c.global_atomic_lanes) +
              " in global memory",
          grid.threads == 0 ? "no kernel has used shared memory"
                            : (grid.clusters == grid.blocks ? "" : counted(grid.clusters, "cluster") + ", ") +
                                  counted(grid.blocks, "block") + ", " + number(grid.threads) + " threads",
          "In the call " + reply.call_text() + ".", handout(section)};
}

/// Values are counted in shared memory, and global memory is added to at most once for every bin of a copy,
/// which every cluster has, or every block where there are no clusters.
inline void expect_few_global_atomics(const Reply& reply, const Counter& counter, std::size_t n,
                                      unsigned nbins) {
  const simt::Counters& c = reply.counters();
  const Launched grid = counting_grid(reply);
  const std::string copy = counter.cluster_size != 0 ? "cluster" : "block";
  const std::size_t copies = counter.cluster_size != 0 ? grid.clusters : grid.blocks;
  const std::size_t in_shared = c.shared_atomic_lanes + c.remote_shared_atomics;
  const std::size_t most = nbins * copies;
  std::vector<std::string> lines = atomics(reply, counter.section);
  if (in_shared == 0) {
    fail("nothing-in-shared-memory", "The counts are right, but no atomic in shared memory has counted them.",
         lines);
  }
  if (in_shared > n) {
    fail("shared-atomics",
         "The counts are right, but " + number(in_shared) + " atomics in shared memory were made for " +
             number(n) + " values.",
         lines);
  }
  for (const bool clears : {true, false}) { // requests of one lane each
    const std::size_t lanes = clears ? c.shared_store_lanes : c.global_atomic_lanes;
    const std::size_t requests = clears ? c.shared_store_requests : c.global_atomic_requests;
    if (lanes >= 2 * requests) continue;
    lines.insert(lines.begin(),
                 counted(requests, "request") + " with " + counted(lanes, "lane") + " altogether");
    fail("one-thread-of-a-block",
         std::string("The counts are right, but one thread of a block ") + (clears ? "clears" : "adds up") +
             " all its counters, one after the other, and the others wait. Let all threads of the block go "
             "through them.",
         lines);
  }
  if (c.global_atomic_lanes > most) {
    for (std::string& line : costly_lines(reply, &simt::Counters::global_atomic_lanes,
                                          &simt::Counters::global_atomic_requests, "lanes"))
      lines.push_back(std::move(line));
    fail("global-atomics",
         "The counts are right, but " + number(c.global_atomic_lanes) + " atomics went to global memory. " +
             counted(copies, copy) + " with " + counted(nbins, "bin") + " need " + number(most) +
             " at most: one for every bin of a " + copy + ", once all values are counted.",
         lines);
  }
}

} // namespace cluster_histogram
