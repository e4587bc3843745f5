// Finds accesses out of bounds that no hook announces: global memory is closed to the processor, which stops at each access with a
// SIGSEGV (signals.cpp) and then makes that one alone. Two signals and two calls of the system for each are too much for all accesses:
// watched are as many as Options::watched_accesses says, where a grid begins, in its last block, where sizes that do not fit show, and
// in one that follows from the seed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

struct Grid;

/// While one lives, a grid runs with its children.
class BoundsWatch {
public:
  explicit BoundsWatch(const Grid& grid);
  ~BoundsWatch();
  BoundsWatch(const BoundsWatch&) = delete;
  BoundsWatch& operator=(const BoundsWatch&) = delete;
};

/// A block of this number begins, in a grid of so many. With clusters, these.
void watch_block(std::uint64_t number, std::uint64_t blocks);

/// From now on all accesses of the grid pass: something out of bounds was found.
void end_bounds_watch();

// A signal handler uses these.

/// Whether memory is closed there because it is watched.
bool is_bounds_watched(std::uintptr_t address);
/// Whether an array is there.
bool is_in_bounds(std::uintptr_t address);
/// Whether one is in the same page: a library reads as much as its registers hold, and makes use of what is an array's.
bool is_near_bounds(std::uintptr_t address);
/// Opens the page for the instruction that runs next, until end_step(). Where no more accesses are watched, opens all.
/// Returns whether there is a step to end.
bool begin_step(std::uintptr_t address);
void end_step();

} // namespace simt
