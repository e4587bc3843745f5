// Barriers that are objects in memory (cuda::barrier). A phase ends when as many arrivals have come as init() has asked for;
// threads wait for the end of a phase.
//
// A thread that waits goes on when no other thread of its block can: a legal order, in which whatever does not wait is seen
// by the race check. Where all threads of a block arrive and wait, that orders as __syncthreads() does; else each arrival
// is a release, and the end of a wait acquires all of them.
#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// The object's 8 bytes, as the simulator uses them.
struct PhaseBarrier {
  std::uint64_t expected : 20; ///< arrivals in a phase
  std::uint64_t pending : 20;  ///< that this phase still waits for
  std::int64_t bytes : 20;     ///< of copies that this phase still waits for
  std::uint64_t phase : 4;     ///< completed so far, modulo 16
};
static_assert(sizeof(PhaseBarrier) == 8);

/// What a lane waits for.
enum PhaseWait {
  wait_for_phase,  ///< the end of the phase with this number
  wait_for_parity, ///< the end of the latest phase with this parity
  phase_waits
};

/// Whether the barrier at `address` has come as far; `kind` is a PhaseWait.
bool has_completed(std::uintptr_t address, std::uint64_t phase, int kind);

/// Lets lanes of `block` go on whose phases have ended. Called when no lane of it is ready. True if there were any.
bool release_phases(Block& block);

} // namespace simt
