// Synchronisation and exchange between the lanes of one warp.
#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// Releases every group of lanes of `warp` whose partners have all arrived. True if any was released.
bool release_warp_groups(Block& block, Warp& warp);

/// Lanes that `lane` waits for and that are not there with the same mask.
unsigned missing_lanes(const Block& block, const Warp& warp, const Lane& lane);

} // namespace simt
