// What the rest of the runtime asks of the scheduler.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include "driver_types.h"

#include <memory>

namespace simt {

/// The blocks of a grid that has started, as far as they have come.
struct RunningBlocks;
struct EndBlocks {
  void operator()(RunningBlocks* blocks) const;
};
using BlocksOwner = std::unique_ptr<RunningBlocks, EndBlocks>;

/// Starts a grid. The state of the grid that stands still meanwhile is the caller's to restore, here and below.
BlocksOwner start_blocks(Grid& grid);

enum class Progress {
  finished, ///< or the launch has ended with an error
  made,
  none ///< nothing but polls that got the answers of the time before
};

/// Runs the blocks until they have finished. If they may give way, it ends where all that is left to do is to poll memory: what
/// they wait for can come from another grid.
Progress run_blocks(RunningBlocks& blocks, bool may_give_way);

/// Of blocks that have given way: whether a thread waits for a value that has changed.
bool is_answered(const RunningBlocks& blocks);

/// 0 .. count - 1, from the schedule's seed.
std::size_t random_below(std::size_t count);

/// A number that no block and no interval between barriers has had before.
std::uint32_t next_epoch();

// The following are called by the running lane.

/// Makes the copies of the lane that are bound to the barrier at this address.
void complete_copies_for(std::uintptr_t barrier);

/// Lets the next lane of the warp, or the scheduler, go on until the lane has its turn again. Returns 0 (see switch_context).
int suspend();

/// Waits for all unfinished threads of the block; the result depends on `kind` (a simt_barrier_kind).
int block_barrier(int kind, int predicate, const char* file, int line);

/// See __simt_warp_exchange.
std::uint64_t warp_exchange(int kind, unsigned mask, std::uint64_t value, int operand, int width,
                            const char* file, int line);

/// Lets the other lanes of the warp run up to their next stop.
void wait_for_warp();

/// Notes that the lane read `value` at `address` in a way that a waiting loop does, and lets other threads
/// run if it gets the same answer again. `size`: of the value, in bytes; 0 if it is not what is there.
void note_poll(std::uintptr_t site, std::uintptr_t address, std::uint64_t value, std::uint32_t size);
/// A loop of plain reads and fences may wait for others, too, who get a turn in each few thousand rounds.
void note_fence(std::uintptr_t site);

/// Ends the grid with a sticky error and abandons all of its threads. The caller has reported the reason.
[[noreturn]] void abandon_grid(cudaError_t error);

/// Ends the program if host code calls a function that needs a simulated thread.
[[noreturn]] void used_outside_of_kernel(const char* what);
inline void require_kernel(const char* what) {
  if (!machine.lane) [[unlikely]]
    used_outside_of_kernel(what);
}

/// Ends the grid from the scheduler itself.
void end_grid(cudaError_t error);

/// Uses up the step budget; when it is gone the grid ends with a diagnostic that names the last `site` given.
void consume_steps(std::uint64_t steps, std::uintptr_t site = 0);
/// Uses up the work budget of the call; when it is gone, likewise.
void consume_work(std::uint64_t operations);
[[noreturn]] void local_budget_exhausted(std::uintptr_t site);

} // namespace simt
