// Barriers that are objects in memory (cuda::barrier). A phase ends when as many arrivals have come as init() has asked for;
// threads wait for the end of a phase.
//
// A thread that waits goes on when no other thread of its block can: a legal order, in which whatever does not wait is seen
// by the race check. Where all threads of a block arrive and wait, that orders as __syncthreads() does; else each arrival
// is a release, and the end of a wait acquires all of them.
#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// What a lane waits for.
enum PhaseWait {
  wait_for_phase,  ///< the end of the phase with this number
  wait_for_parity, ///< the end of the latest phase with this parity
  phase_waits
};

/// What of a Wait::kind tells a tile of several warps, or a block, from a cuda::barrier.
enum PhaseOwner { phase_of_object, phase_of_tile };

/// Whether the barrier at `address` has come as far; `kind` is a PhaseWait.
bool has_completed(std::uintptr_t address, std::uint64_t phase, int kind);

/// Lets lanes of `block` go on whose phases have ended. Called when no lane of it is ready. True if there were any.
bool release_phases(Block& block);

} // namespace simt
