#pragma once
/// What the rubrics of lab 06's tasks count with: sizes, values of every kind, the exact counts, the four functions
/// behind one call, and what such a call has launched.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "exact_counts.hpp"
#include "explain.hpp"
#include "grader/context.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"
#include "needs.hpp"

namespace cluster_histogram {

/// The threads that all multiprocessors of the simulated device and of an H200 hold at once.
constexpr std::size_t resident_threads = 132 * 2048;
constexpr unsigned largest_cluster = 16;

/// A size at which a function that changes nothing is taken for an unsolved task, and at which the usual
/// mistakes show their shape: several blocks of any size, and a tail.
constexpr std::size_t typical = 5003;
/// A smaller one, for whatever is found at any size.
constexpr std::size_t few = 1009;
/// Primes, and more values than threads that the device holds at once; the second is what the simulator gets.
constexpr std::size_t large = 999'983;
constexpr std::size_t large_on_sim = 280'009;
static_assert(large_on_sim > resident_threads);
/// On a GPU also more values than fit its caches, and more than an int can count.
constexpr std::size_t real = (std::size_t{1} << 24) + 4099;
constexpr std::size_t beyond_int = (std::size_t{1} << 31) + 12'345;

/// Whether the device runs clusters of 9 to 16 blocks.
inline bool has_large_clusters() {
  if (on_sim()) return true;
  const int major = probe(submission().options()).compute_capability[0];
  return major == 9 || major == 10;
}

/// Counters of 4 bytes that fit into a block's shared memory, whatever the device; exact for the simulated
/// one and for those with large clusters.
inline unsigned fitting_counters() { return has_large_clusters() ? counters_of_a_block : 65'536 / 4; }

// ---- inputs --------------------------------------------------------------------------------------------

/// Values that are to be counted in so many bins, and what they are in words.
struct Input {
  std::string what;
  std::vector<int> values;
  unsigned nbins;
  std::size_t size() const { return values.size(); }
};

inline int last_bin(unsigned nbins) { return static_cast<int>(nbins - 1); }

inline Input in_range(std::size_t n, unsigned nbins) {
  return {"values of all bins", random_integers(n, 0, last_bin(nbins)), nbins};
}

/// The same, with one value for each of the last bins, where a counter is forgotten first.
inline Input up_to_the_last_bin(std::size_t n, unsigned nbins) {
  Input input = in_range(n, nbins);
  for (std::size_t i = 0; i < 500; ++i) input.values[i] = last_bin(nbins) - static_cast<int>(i);
  return input;
}

/// Half of them below 0 or not below nbins.
inline Input around_range(std::size_t n, unsigned nbins) {
  const int half = static_cast<int>(nbins / 2) + 3;
  return {"values around the range", random_integers(n, -half, last_bin(nbins) + half), nbins};
}

/// One value everywhere, sorted values, a few bins that get nearly everything, and the borders of the range.
inline std::vector<Input> special_inputs(std::size_t n, unsigned nbins) {
  std::vector<int> sorted = in_range(n, nbins).values, skewed = in_range(n, nbins).values;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < n; ++i)
    if (i % 16 != 0) skewed[i] %= 3;
  return {{"one value everywhere", std::vector<int>(n, last_bin(nbins) / 3), nbins},
          {"only the last bin's value", std::vector<int>(n, last_bin(nbins)), nbins},
          {"sorted values", std::move(sorted), nbins},
          {"values of which nearly all count in three bins", std::move(skewed), nbins}};
}

inline Input crowded(const std::vector<int>& bins, std::size_t n, unsigned nbins) {
  std::vector<int> values = random_integers(n, 0, static_cast<int>(bins.size()) - 1);
  for (int& value : values) value = bins[static_cast<std::size_t>(value)];
  return {"a few bins with many values each", std::move(values), nbins};
}

/// Bins that get many values each, in no order: neighbours, and bins that are multiples of 8,000 apart. Who keeps several
/// counters of a few bits in one word has some of them there, and each runs over into the next.
inline Input crowded(std::size_t n, unsigned nbins) {
  std::vector<int> bins;
  for (unsigned bin = 0; bin < nbins; bin += 8000) bins.push_back(static_cast<int>(bin));
  for (unsigned k = 0; k < 20; ++k) bins.push_back(static_cast<int>((nbins / 2 + k) % nbins));
  return crowded(bins, n, nbins);
}

/// The same with the bins of three words, for who keeps ten counters in a word, of bins as far apart as they can be.
inline Input crowded_words(std::size_t n, unsigned nbins) {
  std::vector<int> bins;
  const unsigned words = 4 * ((nbins + 39) / 40); // a tenth, and a multiple of four
  for (unsigned bin = 0; bin + 2 < nbins; bin += words)
    for (unsigned w = 0; w < 3; ++w) bins.push_back(static_cast<int>(bin + w));
  return crowded(bins, n, nbins);
}

inline std::vector<Input> out_of_range_inputs(std::size_t n, unsigned nbins) {
  constexpr int lowest = std::numeric_limits<int>::min(), highest = std::numeric_limits<int>::max();
  const int last = last_bin(nbins);
  const int borders[] = {lowest, -1, 0, last, last + 1, highest};
  std::vector<int> extreme(n), powers(n);
  for (std::size_t i = 0; i < n; ++i) {
    extreme[i] = borders[i % std::size(borders)];
    powers[i] = (1 << i % 31) + 5;
  }
  std::vector<Input> list = {around_range(n, nbins),
                             {"values below 0 only", random_integers(n, lowest, -1), nbins},
                             {"values of nbins and more only", random_integers(n, last + 1, highest), nbins},
                             {"the borders of the range", std::move(extreme), nbins}};
  if (on_sim()) list.push_back({"small numbers with one bit more, of any place", std::move(powers), nbins});
  return list;
}

// ---- the four functions behind one call ----------------------------------------------------------------

/// One of the contract's functions.
struct Counter {
  const char* name;
  int todo;                  ///< of the kernel, or of histogram()
  const char* section;       ///< of the handout
  unsigned cluster_size = 0; ///< 0: the function takes none

  /// Returns false where it does not count.
  bool says_whether() const { return todo == 2 || todo == 3; }
  /// histogram(), which calls the others.
  bool says_regime() const { return todo == 5; }

  /// Calls it with buffers of any kind, the first of which is said to have n values.
  template <typename Values, typename Bins>
  Reply call(const CallOptions& options, const Values& values, std::size_t n, const Bins& bins,
             unsigned nbins) const {
    const auto call_of = [&](auto function, auto... size) {
      return submission().call(options, function, values, n, bins, nbins, size...);
    };
    switch (todo) {
    case 1:
      return call_of(CONTRACT(histogram_global));
    case 2:
      return call_of(CONTRACT(histogram_shared));
    case 3:
      return call_of(CONTRACT(histogram_cluster), cluster_size);
    default:
      return call_of(CONTRACT(histogram));
    }
  }

  /// Calls it with these values, and tells a call that fails in the lesson's words.
  Reply count(CallOptions options, const std::vector<int>& values,
              const std::vector<unsigned>& before) const {
    const auto nbins = static_cast<unsigned>(before.size());
    if (context().trace) { // a count is made of the values that it counts
      options.sources = [values, nbins](BufferElement bin) {
        std::vector<BufferElement> elements;
        for (std::size_t i = 0; i < values.size(); ++i)
          if (bin_of(values[i], nbins) == bin.index) elements.push_back({0, i});
        return elements;
      };
    }
    return changing([&] { return call(options, in(values), values.size(), inout(before), nbins); },
                    [&](Failure& failure) {
                      explain(failure, {failure, values, nbins, cluster_size});
                    });
  }

  /// Fails the item, and sends the student to the section about this function if the message names none.
  [[noreturn]] void fail(LabMessage message, Details details) const {
    if (message.section.empty()) message.section = section;
    warpbook::fail(message, std::move(details));
  }
};

inline Counter global() { return {"histogram_global", 1, "An atomic for every value"}; }
inline Counter shared() { return {"histogram_shared", 2, "A histogram for every block"}; }
inline Counter cluster(unsigned size) {
  return {"histogram_cluster", 3, "A histogram for every cluster", size};
}
inline Counter any() { return {"histogram", 5, "Which memory?"}; }

// ---- what was launched --------------------------------------------------------------------------------

inline bool used_shared_memory(const simt::KernelRecord& kernel) {
  const simt::Counters& c = kernel.counters;
  return c.shared_atomic_lanes + c.remote_shared_atomics + c.shared_store_lanes + c.remote_shared_stores != 0;
}

/// Blocks, clusters and threads of all kernels that used shared memory.
struct Launched {
  std::size_t blocks = 0, clusters = 0, threads = 0;
};

inline Launched counting_grid(const Reply& reply) {
  Launched all;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    if (!used_shared_memory(kernel)) continue;
    const std::size_t blocks = volume(kernel.grid);
    all.blocks += blocks;
    all.clusters += blocks / volume(kernel.cluster);
    all.threads += blocks * volume(kernel.block);
  }
  return all;
}

/// Atomics of the call in shared memory, a block's own or another one's; none on a GPU.
inline std::size_t shared_atomics(const Reply& reply) {
  return reply.counters().shared_atomic_lanes + reply.counters().remote_shared_atomics;
}

} // namespace cluster_histogram
