#pragma once
/// The sum of products of whole numbers that are made by their place, for arrays too large to be held.

#include <cstdint>
#include <numeric>
#include <vector>

#include "call/parallel.hpp"
#include "grader/inputs.hpp"

namespace dot_product {

/// Of the elements from `first` to `last`.
template <typename T>
std::int64_t whole_dot(const warpbook::Drawn<T>& a, const warpbook::Drawn<T>& b, std::size_t first,
                       std::size_t last) {
  std::vector<std::int64_t> sums(warpbook::pieces_of(last - first));
  warpbook::for_each_piece(last - first, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    std::int64_t sum = 0; // of its own: neighbouring ones share a cache line
    for (std::size_t i = first + begin; i < first + end; ++i)
      sum += static_cast<std::int64_t>(a[i]) * static_cast<std::int64_t>(b[i]);
    sums[piece] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

} // namespace dot_product
