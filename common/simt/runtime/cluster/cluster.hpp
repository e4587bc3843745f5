// Groups of blocks that wait for each other: thread block clusters, which also use each other's shared
// memory, and the grid of a cooperative launch.
#pragma once

#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/races/race.hpp"

#include <array>

namespace simt {

inline constexpr unsigned max_phases = (1u << (32 - warp_clock_bits)) - 1;

/// The latest access of another block to a block's shared memory.
struct RemoteUse {
  Stamp stamp;
  Access access = Access::read;
  unsigned size = 0;
  std::uintptr_t address = 0;
};

/// A cluster of two or more blocks.
struct Cluster {
  std::vector<Block*> blocks; ///< by rank
  GroupBarrier barrier;
  std::uint32_t first_epoch = 0;
  /// Whatever has an epoch up to here happened before everything that comes now.
  std::uint32_t floor = 0;
  std::uint16_t phases = 0; ///< of the barrier, completed since `floor` was set
  bool started = false;     ///< a barrier after the start has ordered all blocks
  std::array<std::array<RemoteUse, max_cluster_blocks>, max_cluster_blocks> uses; ///< [owner][user]
};

/// Makes a cluster of blocks that have just started, in the order of their ranks.
std::unique_ptr<Cluster> form_cluster(const std::vector<Block*>& blocks);
bool is_alive(const Cluster& cluster);

/// Whether blocks of the grid can wait for each other at a barrier.
inline bool is_grouped(const Grid& grid) { return grid.cooperative || volume(grid.cluster_extent) > 1; }

/// Completes the barriers of the block's cluster and grid if all have arrived. True if one was.
bool release_group_barriers(Block& block);

/// A thread ends, and perhaps its block with it: others may still count on them.
void leave_groups(Block& block, Lane& lane);

/// After a barrier of the block, or among lanes of a warp, all know of the cluster barriers that any
/// of them has waited at.
void join_acquired(Block& block, Lane* begin, Lane* end);
void join_acquired(Block& block, const Warp& warp, unsigned group);

/// Cluster barriers that the lane which left the stamp had arrived at.
inline unsigned released_at(const Stamp& stamp) { return stamp.clock() >> warp_clock_bits; }

/// How a stamp names a thread of a cluster: in place of its number in the block.
inline unsigned thread_in_cluster(const Block& block, const Lane& lane) {
  return block.rank * max_threads_per_block + lane.thread;
}

/// The lane that left a stamp in the running block's shared memory or cluster, and its block.
struct Party {
  const Block* block;
  const Lane* lane;
};
Party party_of(const Stamp& stamp);

/// Before the first cluster of a grid starts, which will use that many shared-memory windows at most.
void start_cluster_checks(unsigned slots);
/// More windows than that may come to be used.
void reserve_cluster_cells(unsigned slots);

// The following are called by the running lane.
void group_arrive(int scope, const char* file, int line);
void group_wait(int scope, const char* file, int line);
void group_sync(int scope, const char* file, int line);

} // namespace simt
