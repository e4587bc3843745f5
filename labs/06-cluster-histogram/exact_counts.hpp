#pragma once
/// The exact counts that a histogram must have: for the rubric and the bench of lab 06.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "call/generate.hpp"
#include "call/parallel.hpp"

namespace cluster_histogram {

using namespace warpbook;

inline unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return static_cast<unsigned>(value) < nbins ? static_cast<unsigned>(value) : nbins - 1;
}

/// The counts of value_of(i) for i < n, found by several threads.
template <typename ValueOf>
std::vector<unsigned> counts_of(std::size_t n, unsigned nbins, ValueOf value_of) {
  std::mutex mutex;
  std::vector<unsigned> bins(nbins);
  const auto count = [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<unsigned> own(nbins);
    for (std::size_t i = first; i < last; ++i) ++own[bin_of(value_of(i), nbins)];
    const std::scoped_lock lock(mutex);
    for (unsigned b = 0; b < nbins; ++b) bins[b] += own[b];
  };
  for_each_piece(n, count, std::max(n / loop_threads() + 1, std::size_t{4} * nbins));
  return bins;
}

/// The exact counts.
inline std::vector<unsigned> histogram_of(const std::vector<int>& values, unsigned nbins) {
  return counts_of(values.size(), nbins, [&](std::size_t i) { return values[i]; });
}

/// The exact counts of n generated values: of a period, and of what is left over.
inline std::vector<unsigned> histogram_of(const Distribution& distribution, std::uint64_t seed, std::size_t n,
                                          unsigned nbins) {
  const auto first_counts = [&](std::size_t count) {
    return counts_of(count, nbins,
                     [&](std::size_t i) { return generated_element<int>(distribution, seed, i); });
  };
  const std::size_t period = distribution.shape == Distribution::Shape::constant ? 1 : distribution.period;
  if (period == 0 || n < period) return first_counts(n);
  std::vector<unsigned> bins = first_counts(period);
  const std::vector<unsigned> rest = first_counts(n % period);
  for (unsigned b = 0; b < nbins; ++b) bins[b] = bins[b] * static_cast<unsigned>(n / period) + rest[b];
  return bins;
}

} // namespace cluster_histogram
