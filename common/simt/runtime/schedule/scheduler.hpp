// Runs grids: blocks, warps and lanes in the order of the schedule, each lane up to its next synchronisation.
#pragma once

#include "simt/runtime/schedule/control.hpp"

namespace simt {

/// Runs a grid of the host and all grids that it launches to their end, or to a fatal diagnostic. Must not be
/// called from a simulated thread.
void run_grid(Grid& grid);

/// Seeds the random schedule.
void seed_schedule(std::uint64_t seed);

} // namespace simt
