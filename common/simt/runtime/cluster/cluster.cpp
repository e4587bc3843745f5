#include "simt/runtime/cluster/cluster.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/memory/recorder.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/order.hpp"

#include <algorithm>
#include <bit>

namespace simt {

namespace {

GroupBarrier& barrier_of(const Block& block, int scope) {
  return scope == simt_group_cluster ? block.cluster->barrier : block.grid->barrier;
}

bool waits_at(const Lane& lane, int scope) {
  return lane.state == LaneState::at_group_barrier && lane.wait.kind == scope;
}

template <class Visit>
void for_each_lane(const std::vector<Block*>& blocks, Visit visit) {
  for (Block* block : blocks)
    for (Lane& lane : block->lanes)
      if (lane.state != LaneState::finished) visit(*block, lane);
}

Arrival& arrival_of(Block& block, const Lane& lane, int scope) {
  if (block.arrivals.empty()) block.arrivals.resize(block.lanes.size());
  return block.arrivals[lane.thread][static_cast<std::size_t>(scope)];
}

/// Whether every thread that is left does nothing between its arrival and its wait.
bool all_synchronise(const std::vector<Block*>& blocks, int scope) {
  bool all = true;
  for_each_lane(blocks,
                [&](Block&, Lane& lane) { all &= waits_at(lane, scope) && lane.wait.predicate != 0; });
  return all;
}

void resume_waiting(const std::vector<Block*>& blocks, int scope) {
  for_each_lane(blocks, [&](Block& block, Lane& lane) {
    if (!waits_at(lane, scope)) return;
    lane.state = LaneState::ready;
    arrival_of(block, lane, scope).pending = false;
    if (scope == simt_group_cluster) lane.acquired = std::max(lane.acquired, lane.released);
  });
}

/// The blocks have passed a barrier together.
void begin_epochs(const std::vector<Block*>& blocks) {
  join_blocks(blocks);
  for (Block* block : blocks) block->epoch = next_epoch();
}

/// Everything that the cluster has done so far happened before whatever it does next.
void order_all(Cluster& cluster) {
  cluster.floor = next_epoch();
  cluster.phases = 0;
  cluster.started = true;
  for (Block* block : cluster.blocks)
    for (Lane& lane : block->lanes) lane.released = lane.acquired = 0;
}

void complete(GroupBarrier& barrier, std::uint64_t& counter) {
  barrier.arrived = 0;
  ++barrier.phase;
  ++counter;
}

bool release_cluster_barrier(Cluster& cluster) {
  std::uint64_t unfinished = 0;
  for (const Block* block : cluster.blocks) unfinished += block->unfinished;
  if (unfinished == 0 || cluster.barrier.arrived != unfinished) return false;
  if (machine.options.trace)
    for (const Block* block : cluster.blocks)
      record_barrier(*block, TracedStep::Scope::cluster, cluster.barrier.phase);
  bool full = all_synchronise(cluster.blocks, simt_group_cluster);
  resume_waiting(cluster.blocks, simt_group_cluster);
  complete(cluster.barrier, machine.totals.cluster_barriers);
  // A clock that is about to overflow starts again, at the price of races that may go unnoticed.
  if (full || ++cluster.phases == max_phases - 1) order_all(cluster);
  begin_epochs(cluster.blocks);
  return true;
}

/// Unlike that of a cluster, this barrier waits for threads that have ended, too: so it does on the device if
/// they are the wrong ones.
bool release_grid_barrier(Grid& grid) {
  std::uint64_t threads = 0;
  for (const Block* block : grid.windows) threads += block->lanes.size();
  if (grid.barrier.arrived != threads) return false;
  if (machine.options.trace)
    for (const Block* block : grid.windows)
      record_barrier(*block, TracedStep::Scope::grid, grid.barrier.phase);
  resume_waiting(grid.windows, simt_group_grid);
  complete(grid.barrier, machine.totals.grid_barriers);
  for (Block* block : grid.windows)
    if (block->cluster && block->rank == 0) order_all(*block->cluster);
  begin_epochs(grid.windows);
  return true;
}

} // namespace

std::unique_ptr<Cluster> form_cluster(const std::vector<Block*>& blocks) {
  auto cluster = std::make_unique<Cluster>();
  cluster->blocks = blocks;
  for (unsigned rank = 0; rank < blocks.size(); ++rank) {
    blocks[rank]->cluster = cluster.get();
    blocks[rank]->rank = rank;
  }
  cluster->floor = next_epoch();
  for (Block* block : blocks) block->epoch = next_epoch();
  return cluster;
}

bool is_alive(const Cluster& cluster) {
  return std::any_of(cluster.blocks.begin(), cluster.blocks.end(),
                     [](const Block* block) { return block->unfinished > 0; });
}

bool release_group_barriers(Block& block) {
  bool released = block.cluster && release_cluster_barrier(*block.cluster);
  if (block.grid->cooperative && block.grid->barrier.arrived > 0)
    released |= release_grid_barrier(*block.grid);
  return released;
}

void leave_groups(Block& block, Lane& lane) {
  for (int scope = 0; scope < simt_group_scopes; ++scope) {
    const Arrival& arrival = arrival_of(block, lane, scope);
    if (!arrival.pending) continue;
    report_arrive_without_wait(block, lane, scope);
    if (block.cluster && scope == simt_group_cluster && arrival.phase == block.cluster->barrier.phase)
      --block.cluster->barrier.arrived;
  }
  if (!block.cluster || block.unfinished > 0) return;
  unsigned acquired = 0;
  for (const Lane& other : block.lanes) acquired = std::max<unsigned>(acquired, other.acquired);
  for (const Block* user : block.cluster->blocks) {
    const RemoteUse& use = block.cluster->uses[block.rank][user->rank];
    if (use.stamp.epoch() > block.cluster->floor && released_at(use.stamp) >= acquired)
      report_cluster_left(block, lane, *user, use);
  }
}

void join_acquired(Block&, Lane* begin, Lane* end) {
  std::uint16_t acquired = 0;
  for (const Lane* lane = begin; lane != end; ++lane)
    if (lane->state != LaneState::finished) acquired = std::max(acquired, lane->acquired);
  for (Lane* lane = begin; lane != end; ++lane) lane->acquired = std::max(acquired, lane->acquired);
}

void join_acquired(Block& block, const Warp& warp, unsigned group) {
  std::uint16_t acquired = 0;
  for (unsigned rest = group; rest != 0; rest &= rest - 1)
    acquired = std::max(acquired, block.lanes[warp.first + std::countr_zero(rest)].acquired);
  for (unsigned rest = group; rest != 0; rest &= rest - 1)
    block.lanes[warp.first + std::countr_zero(rest)].acquired = acquired;
}

Party party_of(const Stamp& stamp) {
  const Block* block = machine.block;
  if (block->cluster) block = block->cluster->blocks[stamp.thread() / max_threads_per_block];
  return {block, &block->lanes[stamp.thread() % max_threads_per_block]};
}

void group_arrive(int scope, const char* file, int line) {
  Lane& lane = *machine.lane;
  Block& block = *machine.block;
  Arrival& arrival = arrival_of(block, lane, scope);
  if (arrival.pending) return report_arrive_twice(scope, file, line);
  arrival = {true, 0, file, line};
  if (scope == simt_group_cluster && !block.cluster) return;
  GroupBarrier& barrier = barrier_of(block, scope);
  arrival.phase = barrier.phase;
  ++barrier.arrived;
  if (scope != simt_group_cluster) return;
  ++lane.released;
  machine.now += std::uint64_t{1} << warp_clock_bits;
}

namespace {

void wait_in_scope(int scope, bool synchronise, const char* file, int line) {
  Lane& lane = *machine.lane;
  Arrival& arrival = arrival_of(*machine.block, lane, scope);
  if (scope == simt_group_cluster && !machine.block->cluster) {
    arrival.pending = false;
    block_barrier(simt_barrier_cluster, 0, file, line);
    return;
  }
  if (barrier_of(*machine.block, scope).phase > arrival.phase) {
    arrival.pending = false;
    if (scope == simt_group_cluster) lane.acquired = std::max(lane.acquired, lane.released);
    return;
  }
  lane.wait.kind = scope;
  lane.wait.predicate = synchronise;
  lane.wait.file = file;
  lane.wait.line = line;
  lane.state = LaneState::at_group_barrier;
  suspend();
}

} // namespace

void group_wait(int scope, const char* file, int line) {
  if (!arrival_of(*machine.block, *machine.lane, scope).pending)
    return report("barrier-wait-without-arrive", file, line, group_of(scope));
  wait_in_scope(scope, false, file, line);
}

void group_sync(int scope, const char* file, int line) {
  if (arrival_of(*machine.block, *machine.lane, scope).pending)
    report_arrive_twice(scope, file, line);
  else
    group_arrive(scope, file, line);
  wait_in_scope(scope, true, file, line);
}

} // namespace simt
