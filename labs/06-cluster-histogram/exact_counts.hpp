#pragma once
/// The exact counts that a histogram must have: for the rubric and the bench of lab 06.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "call/generate.hpp"

namespace cluster_histogram {

using namespace warpbook;

inline unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return static_cast<unsigned>(value) < nbins ? static_cast<unsigned>(value) : nbins - 1;
}

/// The exact counts.
inline std::vector<unsigned> histogram_of(const std::vector<int>& values, unsigned nbins) {
  std::vector<unsigned> bins(nbins);
  for (const int value : values) ++bins[bin_of(value, nbins)];
  return bins;
}

/// The exact counts of n generated values, found by all processors of this machine.
inline std::vector<unsigned> histogram_of(const Distribution& distribution, std::uint64_t seed, std::size_t n,
                                          unsigned nbins) {
  if (distribution.shape == Distribution::Shape::constant) { // 2^31 times the same bin
    std::vector<unsigned> bins(nbins);
    bins[bin_of(static_cast<int>(distribution.low), nbins)] = static_cast<unsigned>(n);
    return bins;
  }
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::vector<unsigned>> parts(workers);
  {
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < workers; ++w) {
      threads.emplace_back([&, w] {
        std::vector<unsigned> own(nbins);
        for (std::size_t i = n / workers * w; i < (w + 1 == workers ? n : n / workers * (w + 1)); ++i)
          ++own[bin_of(generated_element<int>(distribution, seed, i), nbins)];
        parts[w] = std::move(own);
      });
    }
  }
  std::vector<unsigned> bins(nbins);
  for (const std::vector<unsigned>& part : parts) {
    for (unsigned b = 0; b < nbins; ++b) bins[b] += part[b];
  }
  return bins;
}

} // namespace cluster_histogram
