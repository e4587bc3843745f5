#pragma once
/// What the rubrics of lab 06's tasks count with: sizes, values of every kind, the exact counts, the four functions
/// behind one call, and what such a call has launched.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exact_counts.hpp"
#include "explain.hpp"
#include "grader/context.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"

namespace cluster_histogram {

using namespace warpbook;

/// What the simulated device and an H200 have: multiprocessors, the threads that all of them hold at once,
/// and the counters of 4 bytes that fit into the shared memory of a block.
constexpr std::size_t multiprocessors = 132;
constexpr std::size_t resident_threads = multiprocessors * 2048;
constexpr unsigned counters_of_a_block = 232'448 / 4;
constexpr unsigned largest_cluster = 16;

/// A size at which a function that changes nothing is taken for an unsolved task, and at which the usual
/// mistakes show their shape: several blocks of any size, and a tail.
constexpr std::size_t typical = 5003;
/// Primes, and more values than threads that the device holds at once; the second is what the simulator gets.
constexpr std::size_t large = 999'983;
constexpr std::size_t large_on_sim = 280'009;
static_assert(large_on_sim > resident_threads);
/// On a GPU also more values than fit its caches, and more than an int can count.
constexpr std::size_t real = (std::size_t{1} << 24) + 4099;
constexpr std::size_t beyond_int = (std::size_t{1} << 31) + 12'345;

/// Counters of 4 bytes that fit into a block's shared memory, whatever the device; exact for the simulated
/// one and for capabilities 9 and 10.
inline unsigned fitting_counters() {
  if (on_sim()) return counters_of_a_block;
  const int major = probe(submission().options()).capability_major;
  return major == 9 || major == 10 ? counters_of_a_block : 65'536 / 4;
}

/// Whether the device runs clusters of 9 to 16 blocks.
inline bool has_large_clusters() {
  if (on_sim()) return true;
  const int major = probe(submission().options()).capability_major;
  return major == 9 || major == 10;
}

/// Counters of a block where a cluster shares out the bins evenly.
inline unsigned even_share(unsigned nbins, unsigned cluster_size) {
  const unsigned size = std::max(cluster_size, 1u);
  return (nbins + size - 1) / size;
}

// ---- inputs --------------------------------------------------------------------------------------------

inline int last_bin(unsigned nbins) { return static_cast<int>(nbins - 1); }

inline Integers in_range(std::size_t n, unsigned nbins) {
  return {"values of all bins", random_integers(n, 0, last_bin(nbins))};
}

/// Half of them below 0 or not below nbins.
inline Integers around_range(std::size_t n, unsigned nbins) {
  const int half = static_cast<int>(nbins / 2) + 3;
  return {"values around the range", random_integers(n, -half, last_bin(nbins) + half)};
}

/// One value everywhere, sorted values, a few bins that get nearly everything, and the borders of the range.
inline std::vector<Integers> special_inputs(std::size_t n, unsigned nbins) {
  std::vector<Integers> list;
  list.push_back({"one value everywhere", std::vector<int>(n, last_bin(nbins) / 3)});
  list.push_back({"only the last bin's value", std::vector<int>(n, last_bin(nbins))});
  Integers sorted = in_range(n, nbins);
  std::sort(sorted.values.begin(), sorted.values.end());
  list.push_back({"sorted values", std::move(sorted.values)});
  Integers skewed = in_range(n, nbins);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 16 != 0) skewed.values[i] %= 3;
  }
  list.push_back({"values of which nearly all count in three bins", std::move(skewed.values)});
  return list;
}

/// Bins that get many values each, in no order: neighbours, and bins that are multiples of 8,000 apart. Who keeps several
/// counters of a few bits in one word has some of them there, and each runs over into the next.
inline Integers crowded(std::size_t n, unsigned nbins) {
  std::vector<int> bins;
  for (unsigned bin = 0; bin < nbins; bin += 8000) bins.push_back(static_cast<int>(bin));
  for (unsigned k = 0; k < 20; ++k) bins.push_back(static_cast<int>((nbins / 2 + k) % nbins));
  Integers input{"a few bins with many values each",
                 random_integers(n, 0, static_cast<int>(bins.size()) - 1)};
  for (int& value : input.values) value = bins[static_cast<std::size_t>(value)];
  return input;
}

inline std::vector<Integers> out_of_range_inputs(std::size_t n, unsigned nbins) {
  constexpr int lowest = std::numeric_limits<int>::min(), highest = std::numeric_limits<int>::max();
  const int last = last_bin(nbins);
  std::vector<Integers> list = {around_range(n, nbins)};
  list.push_back({"values below 0 only", random_integers(n, lowest, -1)});
  list.push_back({"values of nbins and more only", random_integers(n, last + 1, highest)});
  const std::vector<int> borders = {lowest, -1, 0, last, last + 1, highest};
  Integers extreme{"the borders of the range", std::vector<int>(n)};
  for (std::size_t i = 0; i < n; ++i) extreme.values[i] = borders[i % borders.size()];
  list.push_back(std::move(extreme));
  if (on_sim()) {
    Integers powers{"small numbers with one bit more, of any place", std::vector<int>(n)};
    for (std::size_t i = 0; i < n; ++i) powers.values[i] = (1 << i % 31) + 5;
    list.push_back(std::move(powers));
  }
  return list;
}

// ---- the four functions behind one call ----------------------------------------------------------------

/// One of the contract's functions, with the cluster size if it takes one.
struct Counter {
  std::string section; ///< of the handout
  unsigned cluster_size = 0;
  bool says_whether = false; ///< returns false where it does not count
  bool says_regime = false;  ///< histogram(), which calls the others
  std::function<Reply(const CallOptions&, const std::vector<int>&, const std::vector<unsigned>&, unsigned)>
      call;
  /// The same with generated values, and with bins that are poisoned.
  std::function<Reply(const CallOptions&, const BufferValue<int, Role::generated>&, unsigned)> generated;
  /// An array with a single value, said to have n: options, n, nbins. Whoever reads a value fails the call.
  std::function<Reply(const CallOptions&, std::size_t, unsigned)> without_values;
};

template <typename F, typename... Size>
Counter counter(F function, std::string section, bool says_whether, Size... cluster_size) {
  Counter made;
  made.section = std::move(section);
  made.says_whether = says_whether;
  if constexpr (sizeof...(Size) > 0) made.cluster_size = (cluster_size, ...);
  const unsigned made_size = made.cluster_size;
  made.call = [=](const CallOptions& options, const std::vector<int>& values,
                  const std::vector<unsigned>& before, unsigned nbins) {
    CallOptions traced = options;
    if (context().trace) { // a count is made of the values that it counts
      traced.sources = [values, nbins](BufferElement bin) {
        std::vector<BufferElement> elements;
        for (std::size_t i = 0; i < values.size(); ++i)
          if (bin_of(values[i], nbins) == bin.index) elements.push_back({0, i});
        return elements;
      };
    }
    try {
      return submission().call(traced, function, in(values), values.size(), inout(before), nbins,
                               cluster_size...);
    } catch (ItemFailed& failed) {
      explain(failed.failure, {failed.failure, values, nbins, made_size});
      throw;
    }
  };
  made.generated = [=](const CallOptions& options, const BufferValue<int, Role::generated>& values,
                       unsigned nbins) {
    return submission().call(options, function, values, values.count, out<unsigned>(nbins), nbins,
                             cluster_size...);
  };
  made.without_values = [=](const CallOptions& options, std::size_t n, unsigned nbins) {
    return submission().call(options, function, in(std::vector<int>(1)), n,
                             inout(std::vector<unsigned>(nbins)), nbins, cluster_size...);
  };
  return made;
}

inline Counter global() { return counter(CONTRACT(histogram_global), "An atomic for every value", false); }
inline Counter shared() { return counter(CONTRACT(histogram_shared), "A histogram for every block", true); }
inline Counter cluster(unsigned size) {
  return counter(CONTRACT(histogram_cluster), "A histogram for every cluster", true, size);
}
inline Counter any() {
  Counter made = counter(CONTRACT(histogram), "Which memory?", false);
  made.says_regime = true;
  return made;
}

// ---- what was launched --------------------------------------------------------------------------------

/// Blocks and clusters of all kernels that used shared memory.
struct Launched {
  std::size_t blocks = 0, clusters = 0, threads = 0;
};

inline bool used_shared_memory(const simt::KernelRecord& kernel) {
  const simt::Counters& c = kernel.counters;
  return c.shared_atomic_lanes + c.remote_shared_atomics + c.shared_store_lanes + c.remote_shared_stores != 0;
}

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

/// The only kernel with more than one block, if there is one: the one that counts. Of the simulator.
inline std::optional<simt::KernelRecord> only_large_grid(const Reply& reply) {
  std::optional<simt::KernelRecord> found;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    if (volume(kernel.grid) == 1) continue;
    if (found) return std::nullopt;
    found = kernel;
  }
  return found;
}

} // namespace cluster_histogram
