// Synchronisation and exchange between the lanes of one warp.
#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// What a lane brings to an operation of all lanes of its warp on a matrix (simt_warp_matrix): `complete` is called once, with
/// what each of the 32 lanes has brought.
struct MatrixWait {
  const char* name; ///< for messages
  void (*complete)(MatrixWait* const* lanes);
};
inline const MatrixWait& matrix_wait(const Wait& wait) {
  return *reinterpret_cast<const MatrixWait*>(wait.value);
}

/// Releases every group of lanes of `warp` whose partners have all arrived. True if any was released.
bool release_warp_groups(Block& block, Warp& warp);

/// Lanes that `lane` waits for and that are not there with the same mask.
unsigned missing_lanes(const Block& block, const Warp& warp, const Lane& lane);

} // namespace simt
