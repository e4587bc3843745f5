#pragma once
/// Parts of an input, and their sums: what rubric and bench compare with.

#include <algorithm>
#include <cstddef>

#include "call/parallel.hpp"
#include "lab.hpp"

namespace dynamic_parallelism {

constexpr std::size_t parts_of(std::size_t n) { return warpbook::pieces_of(n, part_size); }

/// Child grids of a part, and so the depth of the launches: halves of 64, 32, 16, 8, 4, 2 and 1 threads.
constexpr std::size_t child_levels = 7;

/// Child grids that the contract asks for: a chain of levels for all parts together, or one for each part.
constexpr std::size_t child_grids_of(bool by_level, std::size_t parts) {
  return child_levels * (by_level ? 1 : parts);
}

/// Sectors that a part lies in.
constexpr std::size_t part_sectors = part_size * sizeof(int) / 32;

inline constexpr auto everywhere = [](std::size_t) { return true; };

/// The sum of those elements of part k for which is_in(place in the part); `in` has n elements.
template <typename Elements, typename IsIn = decltype(everywhere)>
int part_sum(const Elements& in, std::size_t n, std::size_t k, const IsIn& is_in = everywhere) {
  int sum = 0;
  for (std::size_t i = k * part_size; i < std::min(n, (k + 1) * part_size); ++i)
    if (is_in(i % part_size)) sum += in[i];
  return sum;
}

} // namespace dynamic_parallelism
