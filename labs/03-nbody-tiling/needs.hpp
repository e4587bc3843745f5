#pragma once
/// What accelerations() needs at least: the rubric judges by it, and the bench shows it beside what was counted.

#include <cstddef>

namespace nbody {

/// How often a body has to be read from global memory.
constexpr std::size_t least_reads_of_a_body = 1;
/// How often the threads of a block that share bodies wait for each other. It takes as many tiles as one may choose.
constexpr std::size_t least_barriers_of_a_block = 1;

} // namespace nbody
