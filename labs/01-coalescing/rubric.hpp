#pragma once
/// What the rubrics of lab 01's tasks share: sizes, and the traffic that neighbouring elements need.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "explain.hpp"
#include "grader/grader.hpp"
#include "lab.hpp"
#include "needs.hpp"

namespace coalescing {

using namespace warpbook;

/// The largest prime below a million: divisible by no block and no vector width.
constexpr std::size_t large = 999'983;
/// On a GPU also more elements than fit its caches.
constexpr std::size_t real = std::size_t{1} << 24;

/// Whether only one block's elements are there: those before `left`, which ends with the array. A division that rounds down
/// leaves less than one block out.
constexpr bool is_one_block(const LeftOut& left) {
  constexpr std::size_t warp = 32, largest_block = 1024;
  return left.first % warp == 0 && left.first <= largest_block && left.count > left.first;
}

/// What `n` elements need, which do not fill whole blocks, after `whole` were counted exactly. A kernel may divide the work in
/// other places than ours, and begin a few parts off a boundary: one sector more per request, and some requests more.
inline Need with_tail(Need need, std::size_t n, std::size_t whole, std::size_t further_sectors) {
  need.n = n;
  need.whole = whole;
  need.most_sectors += further_sectors;
  if (need.most_requests != 0) need.most_requests += 8;
  return need;
}

/// An odd size near `whole`, for counting tails. Vectors of 2, 4 and 8 elements leave one element over, in a sector of
/// its own; blocks and warps of any size leave many.
constexpr std::size_t with_odd_end(std::size_t whole) { return whole - 7; }

} // namespace coalescing
