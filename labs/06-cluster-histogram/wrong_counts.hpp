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
  const Integers& input;
  unsigned nbins;
  const std::vector<unsigned>& before;
  const std::vector<unsigned>& wanted;
  std::span<const unsigned> bins() const { return reply.values<unsigned>(1); }
};

inline std::vector<std::string> told(const Outcome& call, const std::string& section) {
  const std::span<const unsigned> bins = call.bins();
  const auto b = static_cast<std::size_t>(std::ranges::mismatch(bins, call.wanted).in1 - bins.begin());
  std::vector<std::string> first_wrong;
  if (b < bins.size()) {
    first_wrong = {"bins[" + number(b) + "] is " + number(bins[b]) + ", and " + number(call.wanted[b]) +
                   " is expected (" + call.input.what + ")"};
  }
  return details_of(call.reply, section, first_wrong);
}

/// The bins that come of counting value i in bin_of_value(i, value); a number at or above nbins is no bin.
template <typename Bin>
std::vector<unsigned> counts_by(const Outcome& call, const Bin& bin_of_value) {
  std::vector<unsigned> bins(call.nbins);
  for (std::size_t i = 0; i < call.input.size(); ++i) {
    if (const std::size_t b = bin_of_value(i, call.input.values[i]); b < call.nbins) ++bins[b];
  }
  return bins;
}
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

using Mistakes = std::vector<WrongResult<unsigned>>;

/// Fails the item for the first of these mistakes that leads to the bins of the call.
inline void recognise(const Outcome& call, const Mistakes& mistakes) {
  if (const auto mistake = mistake_behind(mistakes, call.bins(), call.wanted))
    fail(mistake->id, mistake->sentence, told(call, mistake->section));
}

/// Counts that are right but for values out of range.
inline Mistakes mistakes_of_range(const Outcome& call) {
  Mistakes list;
  const unsigned nbins = call.nbins;
  const auto add = [&](const char* id, const std::string& sentence, auto bin) {
    list.push_back({id, sentence, "Which bin is a value's?", [&call, bin] {
                      return counts_by(call, [&](std::size_t, int v) -> std::size_t { return bin(v); });
                    }});
  };
  add("out-of-range-left-out", "Values below 0 are missing. They count in the first bin.",
      [=](int v) { return v < 0 ? nowhere : bin_of(v, nbins); });
  add("out-of-range-left-out", "Values of nbins and more are missing. They count in the last bin.",
      [=](int v) { return v > last_bin(nbins) ? nowhere : bin_of(v, nbins); });
  add("out-of-range-left-out",
      "Values out of range are missing. Those below 0 count in the first bin, those of nbins and more in the "
      "last.",
      [=](int v) { return v < 0 ? nowhere : static_cast<std::size_t>(v); });
  add("negative-taken-for-large",
      "Values below 0 were counted in the last bin, not in the first. As an unsigned number -1 is the "
      "largest "
      "there is; a comparison of an int with an unsigned makes it one.",
      [=](int v) { return v < 0 ? nbins - 1 : bin_of(v, nbins); });
  const std::string wrapped = "Values out of range were counted in the bin of their remainder by nbins. They "
                              "belong into the first and the last bin.";
  add("wrapped-around", wrapped, [=](int v) { return static_cast<unsigned>(v) % nbins; });
  add("wrapped-around", wrapped, [=](int v) { return (std::int64_t{v} % nbins + nbins) % nbins; });
  const std::string masked =
      "Values were counted in bin value & (nbins - 1), which leaves out bits of the value" +
      (std::has_single_bit(nbins) ? "." : ": " + number(nbins) + " is no power of two.") +
      " A value in the range is the number of its bin as it is, and values out of range "
      "belong into the first and the last bin.";
  const auto mask = [=](int v) { return static_cast<unsigned>(v) & (nbins - 1); };
  add("masked", masked, mask);
  add("masked", masked, [=](int v) { return v < 0 ? 0 : mask(v); });
  add("masked", masked, [=](int v) { return v > last_bin(nbins) ? nbins - 1 : v < 0 ? 0 : mask(v); });
  for (unsigned bits = 8; bits < 31; ++bits) {
    add("value-cut-off",
        "The counts are those of values that were cut off after " + number(bits) +
            " bits. Any int may come: compare all of it with the number of bins.",
        [=](int v) {
          return v < 0 ? 0 : std::min(static_cast<unsigned>(v) & ((1u << bits) - 1), nbins - 1);
        });
  }
  return list;
}

/// Counts that lack the values of certain blocks of this launch.
inline Mistakes mistakes_of_blocks(const Outcome& call, const simt::KernelRecord& kernel) {
  Mistakes list;
  const std::size_t block = volume(kernel.block), threads = block * volume(kernel.grid);
  const std::size_t blocks = threads / block, size = volume(kernel.cluster), n = call.input.size();
  const unsigned nbins = call.nbins;
  const std::string& section = call.counter.section;
  // A value's reader is a thread in the grid.
  const auto add = [&](const char* id, const std::string& sentence, const std::string& read_on, auto is_in) {
    list.push_back({id, sentence, read_on, [=, &call] {
                      return counts_by(call, [&](std::size_t i, int v) {
                        const std::size_t bin = bin_of(v, nbins);
                        return is_in(i, i % threads, bin) ? bin : nowhere;
                      });
                    }});
  };
  add("tail-left-out",
      "Every thread takes one value only: the grid has " + number(threads) + " threads, and there are " +
          number(n) + " values. The last " + number(n - threads) + " are not counted.",
      "An atomic for every value", [=](std::size_t i, std::size_t, std::size_t) { return i < threads; });
  if (size == 1) {
    add("first-block-only",
        "Only the values of block 0 have arrived, those of the other " + number(blocks - 1) +
            " blocks have not." + (call.counter.says_whether ? " Every block adds up all its counters." : ""),
        section, [=](std::size_t, std::size_t reader, std::size_t) { return reader < block; });
    add("other-counters-per-block",
        "Every bin has the values of one block only: bins 0 to " + number(block - 1) +
            " those of block 0, the next those of block 1. Every block has counters of its own for all bins, "
            "and adds up all of them: its own threads go through them, not those of the grid.",
        section, [=](std::size_t, std::size_t reader, std::size_t bin) {
          return bin % threads / block == reader / block;
        });
  } else if (call.counter.cluster_size == size) {
    const std::size_t share = even_share(nbins, call.counter.cluster_size);
    add("first-cluster-only",
        "Only the values of the first cluster have arrived, those of the other " + number(blocks / size - 1) +
            " have not. A block's number in the grid is not its number in the cluster: which bins does block "
            "0 of the second cluster own?",
        section, [=](std::size_t, std::size_t reader, std::size_t) { return reader < size * block; });
    if (n > block) {
      add("own-bins-only",
          "Counted are only values whose bin belongs to the block that has read them. Those that belong to "
          "another block of the cluster are missing.",
          section, [=](std::size_t, std::size_t reader, std::size_t bin) {
            return bin / share == reader / block % size;
          });
    }
  }
  return list;
}

/// Counts of a cluster that are in other bins.
inline Mistakes mistakes_of_places(const Outcome& call) {
  Mistakes list;
  const unsigned nbins = call.nbins, size = call.counter.cluster_size, share = even_share(nbins, size);
  if (size < 2) return list;
  const auto add = [&](const char* id, const std::string& sentence, auto place_of) {
    list.push_back({id, sentence, call.counter.section, [=, &call] {
                      std::vector<unsigned> bins(nbins);
                      for (unsigned b = 0; b < nbins; ++b)
                        if (const unsigned place = place_of(b); place < nbins) bins[place] += call.wanted[b];
                      return bins;
                    }});
  };
  add("merged-into-first-bins",
      "The counters of all blocks of a cluster were added to the first " + number(share) +
          " bins. Every block owns other bins: in the drawing of the handout, which bin is counter 1 of "
          "block 2?",
      [=](unsigned b) { return b % share; });
  // Owner and place of a bin found one way, its number found back another way.
  const std::string elsewhere = "The counts are there, in other bins: values were counted in block bin ";
  add("bins-interleaved",
      elsewhere + "% cluster_size, and the counters added as if block r had the bins from r * bins_per_block "
                  "on.",
      [=](unsigned b) { return b % size * share + b / size; });
  add("bins-interleaved",
      elsewhere + "/ bins_per_block, and the counters added as if block r had the bins r, r + cluster_size, "
                  "r + 2 * cluster_size and so on.",
      [=](unsigned b) { return b / share + b % share * size; });
  return list;
}

/// Fails the item if bins from some place on were never written, or got what belongs elsewhere.
inline void recognise_places(const Outcome& call) {
  const std::span<const unsigned> bins = call.bins();
  const unsigned nbins = call.nbins, size = call.counter.cluster_size, share = even_share(nbins, size);
  if (size > 1 && share > 1) {
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
  const unsigned rounded_down = size < 2 ? nbins : nbins / size * size;
  std::vector<std::string> division;
  if (size > 1 && end >= rounded_down) {
    division = {number(nbins) + " / " + number(size) + " is " + number(nbins / size) +
                ", because division rounds down, and " + number(size) + " times that is " +
                number(rounded_down)};
  }
  fail("last-bins-left-out",
       "The bins from " + number(end) + " on have no counts, though " + number(missing) +
           " values belong there.",
       followed_by(division, told(call, call.counter.section)));
}

/// Counts that lack values, or have some more than once, and it shows which.
inline Mistakes mistakes_of_values(const Outcome& call, std::size_t total) {
  Mistakes list;
  const std::size_t n = call.input.size();
  const auto add_some = [&](const char* id, const std::string& sentence, auto is_in) {
    list.push_back({id, sentence, "An atomic for every value", [=, &call] {
                      return counts_by(call, [&](std::size_t i, int v) -> std::size_t {
                        return is_in(i) ? bin_of(v, call.nbins) : nowhere;
                      });
                    }});
  };
  const auto add_counts = [&](const char* id, const std::string& sentence, auto count) {
    list.push_back({id, sentence, call.counter.section, [=, &call] {
                      std::vector<unsigned> counts = call.wanted;
                      for (unsigned& each : counts) each = count(each);
                      return counts;
                    }});
  };
  if (total > 0 && total < n) {
    add_some("tail-left-out",
             "The first " + number(total) + " values are counted, the last " + number(n - total) +
                 " are not. Either a division has rounded down, or every thread takes one value only and "
                 "there are more values than threads" +
                 (call.counter.says_whether ? ", or not all blocks add up their counters." : "."),
             [=](std::size_t i) { return i < total; });
  }
  for (std::size_t width = 32; width <= 1024 && total < n && width < n; width *= 2) {
    add_some("one-thread-of-many",
             "Of every " + number(width) +
                 " values one is counted: only one thread of that many does anything.",
             [=](std::size_t i) { return i % width == 0; });
  }
  if (n >= 31 && total % n == 0 && total / n >= 2 &&
      total / n <= 1024) { // of one value any number is the multiple
    const auto times = static_cast<unsigned>(total / n);
    add_counts("counted-more-than-once",
               "Every count is " + number(times) + " times the right one: every value was counted " +
                   number(times) +
                   " times, or the counters were added to `bins` so often. Who reads a value, and who adds a "
                   "counter?",
               [=](unsigned count) { return times * count; });
  }
  for (const unsigned bits : {8u, 16u}) {
    const unsigned end = 1u << bits;
    add_counts("counter-overflow",
               "Counts are right up to " + number(end - 1) + " and begin anew after it: a counter of " +
                   number(bits) + " bits is too short.",
               [=](unsigned count) { return count % end; });
  }
  return list;
}

/// Fails the item if values are missing or too many, and no bin has it the other way round.
inline void recognise_losses(const Outcome& call, std::size_t total) {
  const std::span<const unsigned> bins = call.bins();
  const std::size_t n = call.input.size();
  bool never_too_many = true, never_too_few = true;
  for (unsigned b = 0; b < call.nbins; ++b) {
    never_too_many = never_too_many && bins[b] <= call.wanted[b];
    never_too_few = never_too_few && bins[b] >= call.wanted[b];
  }
  const simt::Counters& c = call.reply.counters(); // of the simulator; else zeros
  // More atomics than values are those of who clears or reads his counters by an atomic, too.
  const std::size_t in_shared = c.shared_atomic_lanes + c.remote_shared_atomics;
  const bool is_counting_alone = in_shared == n;
  const std::string lost =
      number(n - total) + " of " + number(n) + " values are missing, and no bin has too many. ";
  expect_none(
      "",
      {{never_too_many && total < n && in_shared >= n, "counts-lost",
        lost +
            (is_counting_alone ? "All " + number(n) + " were counted by an atomic in shared memory"
                               : number(in_shared) + " atomics in shared memory were made, enough for all") +
            ", so it is the adding up that misses some: are all counters added, and has everybody counted by "
            "then? " +
            (is_counting_alone
                 ? "A barrier inside a loop does not hold those who have left it."
                 : "An atomic waits for nobody: only a barrier between counting and adding up does.")},
       {never_too_many && total < n, "counts-lost",
        lost + "Were counters lost, or changed by two threads at once without an atomic?"},
       {never_too_few && total > n && total < 8 * n, "counted-more-than-once",
        "The bins hold " + number(total - n) + " too many for " + number(n) +
            " values, and no bin has too few: some values are counted more than once. Do two threads take "
            "the same value?"}},
      [&] { return told(call, call.counter.section); });
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
  const std::span<const unsigned> bins = call.bins();
  const std::size_t n = call.input.size();
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
  recognise(call, mistakes_of_range(call));
  if (const auto kernel = only_large_grid(call.reply)) recognise(call, mistakes_of_blocks(call, *kernel));
  recognise(call, mistakes_of_places(call));
  recognise_places(call);
  const std::size_t total = std::accumulate(bins.begin(), bins.end(), std::size_t{0});
  recognise(call, mistakes_of_values(call, total));
  recognise_losses(call, total);
  expect_equal(call.reply, 1, call.wanted);
  throw std::logic_error("fail_counts() was called with the right counts");
}

} // namespace cluster_histogram
