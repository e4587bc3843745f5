#include "simt/runtime/schedule/scheduler.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/machine/branches.hpp"
#include "simt/runtime/machine/fiber.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/running_launch.hpp"
#include "simt/runtime/machine/signals.hpp"
#include "simt/runtime/machine/splitmix.hpp"
#include "simt/runtime/memory/announced.hpp"
#include "simt/runtime/memory/bounds_watch.hpp"
#include "simt/runtime/memory/device_heap.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/host_memory.hpp"
#include "simt/runtime/memory/recorder.hpp"
#include "simt/runtime/memory/shared_memory.hpp"
#include "simt/runtime/memory/warp_log.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/races/race.hpp"
#include "simt/runtime/races/waiting_reads.hpp"
#include "simt/runtime/races/waiting_rows.hpp"
#include "simt/runtime/schedule/device_launch.hpp"
#include "simt/runtime/schedule/order.hpp"
#include "simt/runtime/schedule/phase_barrier.hpp"
#include "simt/runtime/schedule/warp_sync.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <locale.h>
#include <numeric>
#include <span>
#include <thread>

namespace simt {

namespace {

/// Rounds in which waiting loops may read the same values over and over before that counts as a deadlock: a
/// loop may count its attempts and give up.
constexpr unsigned max_fruitless_passes = 10'000;

/// Where another thread of the host could write what such a loop reads, it gets time for that: two seconds or so in all.
constexpr unsigned passes_before_waiting = 100;
constexpr std::chrono::microseconds time_between_passes{200};

// In units of a lane's access to global or shared memory: what a grid takes, and an access to a lane's own stack.
constexpr std::uint64_t operations_per_grid = 200;
constexpr std::uint64_t local_accesses_per_operation = 16;

/// A grid of large blocks has few alive, and small ones take little memory.
constexpr std::size_t max_unused_blocks = 32;

std::uint64_t random_state = 1;
std::uint32_t last_epoch = 0;
std::uintptr_t last_site = 0; ///< of the grid's latest counted access

std::uint64_t next_random() { return next_of_splitmix(random_state); }

/// 0 .. count - 1 in the order of the schedule.
template <class Number>
void fill_order(std::vector<Number>& order, std::size_t count) {
  order.resize(count);
  std::iota(order.begin(), order.end(), Number{0});
  if (machine.options.schedule == Schedule::reverse) std::reverse(order.begin(), order.end());
  if (machine.options.schedule == Schedule::random)
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[next_random() % i]);
}

/// The lanes of the running warp that were ready when the round began, in the order of the schedule. Each runs to its
/// next stop and then hands over to the next one itself.
struct Round {
  std::array<std::uint8_t, lanes_per_warp> lanes;
  unsigned count = 0;
  unsigned begun = 0;
  Lane* warp = nullptr; ///< its first lane
  bool goes_on = false; ///< a lane has stopped and is ready all the same
} current_round;

/// Sets the clocks of a lane whose warp has synchronised, so that its lanes have different ones.
[[gnu::noinline]] Lane* begin_synced_turn(Lane& lane) {
  const Block& block = *machine.block;
  const Warp& warp = *machine.warp;
  machine.now = std::uint64_t{block.epoch} << 32 | stamp_clock(warp, lane);
  begin_segment_of_synced_lane(block, warp, lane);
  return &lane;
}

/// Makes the next lane of the round the running one; null: all have had their turn.
Lane* begin_turn() {
  if (current_round.begun == current_round.count) return nullptr;
  const unsigned number = current_round.lanes[current_round.begun++];
  Lane& lane = current_round.warp[number];
  machine.lane = &lane;
  begin_lane(number);
  if (machine.moved != 0) [[unlikely]]
    take_back();
  if (current_round.begun != current_round.count) {
    const unsigned next = current_round.lanes[current_round.begun];
    // Its frames: each stack has pages of its own, which other lanes' have driven out of the cache and its tables. (Address 0
    // is in no table: the processor would search them all for it.)
    if (const char* frames = static_cast<const char*>(current_round.warp[next].fiber.context)) {
      __builtin_prefetch(frames);
      __builtin_prefetch(frames + 64);
      __builtin_prefetch(frames + 128);
    }
  }
  if (machine.warp->synced) return begin_synced_turn(lane);
  machine.now = std::uint64_t{machine.block->epoch} << 32 | stamp_clock_of_unsynced(lane);
  begin_unsynced_lane_segment(*machine.block, number);
  return &lane;
}

/// Runs the kernel's function for the running lane.
void run_thread() {
  machine.own_stack = stack_of(machine.lane->fiber);
  try {
    machine.grid->operations->invoke(machine.grid->closure);
  } catch (...) {
    report({"unsupported", "exception"}, 0);
    abandon_grid(cudaErrorLaunchFailure);
  }
  settle_pending_write();
  Lane& lane = *machine.lane;
  if (lane.has_extras()) check_unchecked_launches();
  lane.state = LaneState::finished;
  --machine.block->unfinished;
  if (machine.block->cluster || !machine.block->arrivals.empty()) leave_groups(*machine.block, lane);
}

void lane_main();

/// Where to jump to for the lane that has the turn, or for the scheduler if none has.
Context context_of(Lane* lane) { return lane ? enter(lane->fiber, lane_main) : machine.scheduler; }

/// Where a stack begins to be used. When a lane has ended, the next one can begin where it stood: a warp without
/// synchronisation runs without a switch.
void lane_main() {
  while (true) {
    run_thread();
    Fiber& ended = machine.lane->fiber;
    Lane* next = begin_turn();
    if (!next || next->fiber.context) {
      leave(ended);
      leave_for(context_of(next));
    }
    pass_stack(ended, next->fiber);
  }
}

/// One bit for each lane.
std::uint32_t ready_lanes(const Block& block, const Warp& warp) {
  std::uint32_t ready = 0;
  for (unsigned i = 0; i < warp.size; ++i)
    ready |= std::uint32_t{block.lanes[warp.first + i].state == LaneState::ready} << i;
  return ready;
}

constexpr auto all_lanes_forward = [] {
  std::array<std::uint8_t, lanes_per_warp> lanes{};
  for (unsigned i = 0; i < lanes_per_warp; ++i) lanes[i] = static_cast<std::uint8_t>(i);
  return lanes;
}();

/// Of those that wait at a warp's operation the others may need what they have brought.
void hide_waiting_lanes(Block& block) {
  for (Lane& lane : block.lanes)
    if (lane.state == LaneState::ready) hide_frames(lane.fiber);
}

/// Lets every ready lane run once, then counts what they did.
void run_round(Block& block, Warp& warp, std::uint32_t ready) {
  machine.warp = &warp;
  begin_segment(block, warp);
  current_round.count = current_round.begun = 0;
  current_round.warp = &block.lanes[warp.first];
  current_round.goes_on = false;
  auto add = [&](unsigned i) {
    if (ready >> i & 1) current_round.lanes[current_round.count++] = static_cast<std::uint8_t>(i);
  };
  if (machine.options.schedule == Schedule::forward && ready == ~std::uint32_t{0}) {
    current_round.lanes = all_lanes_forward;
    current_round.count = lanes_per_warp;
  } else if (machine.options.schedule == Schedule::forward) {
    for (unsigned i = 0; i < warp.size; ++i) add(i);
  } else {
    static std::vector<unsigned> order;
    fill_order(order, warp.size);
    for (unsigned i : order) add(i);
  }
  begin_waiting(block, warp, std::span(current_round.lanes.data(), current_round.count));
  begin_rows(warp, std::span(current_round.lanes.data(), current_round.count));
  const std::uint64_t local_steps_before = machine.local_steps_left;
  if (machine.moved != 0 && forget_unannounced()) [[unlikely]]
    hide_waiting_lanes(block);
  if (Lane* first = begin_turn()) switch_context(machine.scheduler, context_of(first));
  machine.lane = nullptr;
  if (machine.moved != 0) [[unlikely]]
    take_back();
  keep_waiting_reads();
  end_rows();
  finish_requests();
  consume_steps(current_round.begun);
  consume_work(current_round.begun +
               (local_steps_before - machine.local_steps_left) / local_accesses_per_operation);
  note_progress();
}

void run_warp(Block& block, Warp& warp) {
  while (!machine.fatal) {
    const std::uint32_t ready = ready_lanes(block, warp);
    if (ready == 0) return;
    run_round(block, warp, ready);
    if (is_stopping()) [[unlikely]]
      machine.fatal = true;
    const bool goes_on = release_warp_groups(block, warp) || current_round.goes_on;
    if (!machine.fatal) run_children_at_stop();
    if (!goes_on) return;
  }
}

/// Whether the threads bring a predicate to a barrier of this kind, and get a result.
bool is_vote(int kind) { return kind != simt_barrier_plain && kind != simt_barrier_cluster; }

/// The barrier completes when every unfinished thread waits at it.
bool release_barrier(Block& block) {
  const Lane* first = nullptr;
  const Lane* other = nullptr;
  int count = 0;
  for (const Lane& lane : block.lanes) {
    if (lane.state == LaneState::finished) continue;
    if (lane.state != LaneState::at_barrier) return false;
    if (!first) first = &lane;
    const bool same_place =
        lane.wait.line == first->wait.line &&
        (lane.wait.file == first->wait.file || std::strcmp(lane.wait.file, first->wait.file) == 0);
    if (!other && !same_place) other = &lane;
    if (is_vote(lane.wait.kind)) count += lane.wait.predicate != 0;
  }
  if (!first) return false;
  if (other) report_apart(block, *first, *other);
  if (machine.options.trace && is_vote(first->wait.kind)) record_exchange(block, nullptr, 0);
  check_skipped_barrier(block, *first, !other && block.unfinished == block.lanes.size());
  if (machine.options.trace) record_barrier(block, TracedStep::Scope::block, block.barriers_passed);
  for (Lane& lane : block.lanes) {
    if (lane.state != LaneState::at_barrier) continue;
    switch (lane.wait.kind) {
    case simt_barrier_count:
      lane.wait.result = static_cast<std::uint64_t>(count);
      break;
    case simt_barrier_and:
      lane.wait.result = static_cast<unsigned>(count) == block.unfinished;
      break;
    case simt_barrier_or:
      lane.wait.result = count != 0;
      break;
    }
    lane.state = LaneState::ready;
  }
  block.epoch = machine.epoch = next_epoch();
  forget_waiting_reads();
  if (block.cluster) join_acquired(block, block.lanes.data(), block.lanes.data() + block.lanes.size());
  join_block(block);
  ++block.barriers_passed;
  ++machine.totals.barriers;
  return true;
}

/// All barriers at which lanes of `block` wait for ever.
void record_stuck(const Block& block) {
  using Scope = TracedStep::Scope;
  record_barrier(block, Scope::block, block.barriers_passed, false);
  if (block.cluster) record_barrier(block, Scope::cluster, block.cluster->barrier.phase, false);
  record_barrier(block, Scope::grid, block.grid->barrier.phase, false);
}

enum class Outcome { finished, polling, waiting, blocked, yielded };

/// Runs a block until it has finished, or until all that is left to do is to poll memory, or to wait for
/// other blocks at a barrier (blocked: at one that is an object in memory). Where blocks can wait for each other it also yields to them at its own
/// barriers.
Outcome run_block(Block& block) {
  machine.block = &block;
  machine.epoch = block.epoch;
  machine.valid[static_cast<int>(Space::shared)] = {};
  std::vector<unsigned> order; // children may run in between
  for (Lane& lane : block.lanes)
    if (lane.state == LaneState::spinning) lane.state = LaneState::ready;
  while (!machine.fatal && block.unfinished > 0) {
    fill_order(order, block.warps.size());
    for (unsigned i : order) run_warp(block, block.warps[i]);
    if (machine.fatal || block.unfinished == 0) break;
    if (release_barrier(block)) {
      if (is_grouped(*block.grid)) return Outcome::yielded;
      continue;
    }
    if (release_phases(block)) continue;
    bool spinning = false, waiting = false, blocked = false;
    for (Lane& lane : block.lanes) {
      spinning |= lane.state == LaneState::spinning;
      waiting |= lane.state == LaneState::at_group_barrier;
      blocked |= lane.state == LaneState::at_phase;
    }
    if (spinning) return Outcome::polling;
    if (waiting) return Outcome::waiting;
    if (blocked) return Outcome::blocked;
    report_deadlock(block);
    if (machine.options.trace) record_stuck(block);
    end_grid(cudaErrorLaunchTimeout);
  }
  forget_waiting_reads();
  return Outcome::finished;
}

void prepare_block_slot(Grid& grid, Block& block, unsigned slot) {
  block.grid = &grid;
  block.slot = slot;
  block.shared_base = machine.arena + slot * shared_window;
  const auto threads = static_cast<unsigned>(volume(grid.block_extent));
  block.lanes.assign(threads, Lane{});
  block.branches.clear();
  block.branch_visits.clear();
  for (unsigned i = 0; i < threads; ++i) {
    block.lanes[i].thread = static_cast<std::uint16_t>(i);
    block.lanes[i].index = index_at(i, grid.block_extent);
  }
  block.warps.resize((threads + lanes_per_warp - 1) / lanes_per_warp);
  for (unsigned i = 0; i < block.warps.size(); ++i) {
    block.warps[i].first = i * lanes_per_warp;
    block.warps[i].size = std::min(lanes_per_warp, threads - i * lanes_per_warp);
  }
}

void start_block(Block& block, const simt_index3& index) {
  block.index = index;
  block.unfinished = static_cast<unsigned>(block.lanes.size());
  block.epoch = block.first_epoch = next_epoch();
  block.barriers_passed = 0;
  block.cluster = nullptr;
  block.rank = 0;
  for (Warp& warp : block.warps) warp.syncing = warp.synced = false;
  for (Lane& lane : block.lanes) {
    lane.fiber = {};
    lane.fiber.stack = lane.thread;
    lane.state = LaneState::ready;
    lane.released = lane.acquired = 0;
    lane.fences_passed = 0;
  }
  block.arrivals.clear();
  block.copies.clear();
  block.tiles.clear();
  block.tile_values.clear();
  block.barrier_visits.clear();
  block.counts_visits = false;
  begin_interval(block);
  begin_block(block);
  reset_shared_memory(block);
  machine.totals.threads += block.lanes.size();
}

/// Blocks of earlier grids, whose memory the next ones use.
std::vector<std::unique_ptr<Block>> unused_blocks;

std::unique_ptr<Block> take_unused_block() {
  if (unused_blocks.empty()) return std::make_unique<Block>();
  std::unique_ptr<Block> block = std::move(unused_blocks.back());
  unused_blocks.pop_back();
  return block;
}

void keep_unused_blocks(std::vector<std::unique_ptr<Block>> blocks) {
  while (!blocks.empty() && unused_blocks.size() < max_unused_blocks) {
    unused_blocks.push_back(std::move(blocks.back()));
    blocks.pop_back();
  }
}

bool is_clustered(const Grid& grid) { return volume(grid.cluster_extent) > 1; }

/// Makes room for what race checks remember of that many windows.
void reserve_cells_of(const Grid& grid, unsigned windows) {
  reserve_race_cells(windows);
  if (is_clustered(grid)) reserve_cluster_cells(windows);
}

} // namespace

/// The blocks of a grid that are alive. More than one is only needed where blocks wait for each other: the
/// blocks of a cluster, and all blocks of a cooperative grid, are admitted together.
class Residency {
public:
  explicit Residency(Grid& grid)
      : grid_(grid), clusters_{grid.extent.x / grid.cluster_extent.x, grid.extent.y / grid.cluster_extent.y,
                               grid.extent.z / grid.cluster_extent.z},
        unit_(static_cast<unsigned>(volume(grid.cluster_extent))), total_(volume(clusters_)) {
    unsigned threads = static_cast<unsigned>(volume(grid.block_extent));
    capacity_ = std::min(max_resident_blocks, std::max(unit_, max_resident_threads / threads));
    is_last_only_ = machine.options.last_block_only && grid.record.depth == 0;
    if (is_last_only_)
      next_ = total_ - 1;
    else if (machine.options.schedule == Schedule::random)
      fill_order(order_, total_);
    if (grid.cooperative)
      while (next_ < total_) admit();
  }

  ~Residency() {
    for (Block* block : resident_) // after an error
      for (Lane& lane : block->lanes) leave(lane.fiber);
    for (const auto& block : blocks_) give_window_back(block->slot);
    keep_unused_blocks(std::move(blocks_));
  }
  Residency(const Residency&) = delete;
  Residency& operator=(const Residency&) = delete;

  bool can_admit() const { return next_ < total_ && resident_.size() + unit_ <= capacity_; }
  bool done() const { return next_ == total_ && resident_.empty(); }
  std::vector<Block*>& resident() { return resident_; }

  /// The resident blocks in the order in which they run next.
  std::vector<Block*> in_order() const {
    if (machine.options.schedule != Schedule::random || !is_grouped(grid_)) return resident_;
    std::vector<unsigned> order;
    fill_order(order, resident_.size());
    std::vector<Block*> blocks;
    for (unsigned i : order) blocks.push_back(resident_[i]);
    return blocks;
  }

  /// Starts the next cluster, which may be a single block.
  void admit() {
    const std::uint64_t number = number_of(next_++);
    watch_block(number, total_);
    const simt_index3 cluster = index_at(number, clusters_);
    std::vector<Block*> blocks(unit_);
    std::vector<unsigned> order;
    fill_order(order, unit_);
    for (unsigned rank : order) {
      simt_index3 within = index_at(rank, grid_.cluster_extent);
      blocks[rank] = take_block();
      start_block(*blocks[rank], {cluster.x * grid_.cluster_extent.x + within.x,
                                  cluster.y * grid_.cluster_extent.y + within.y,
                                  cluster.z * grid_.cluster_extent.z + within.z});
      resident_.push_back(blocks[rank]);
    }
    if (unit_ > 1) clusters_alive_.push_back(form_cluster(blocks));
  }

  /// A block has finished. The shared memory of a cluster's blocks stays until all of them have.
  void retire(Block* block) {
    resident_.erase(std::find(resident_.begin(), resident_.end(), block));
    if (!block->cluster) return free_.push_back(block);
    if (is_alive(*block->cluster)) return;
    auto cluster = std::find_if(clusters_alive_.begin(), clusters_alive_.end(),
                                [block](const auto& c) { return c.get() == block->cluster; });
    for (Block* member : (*cluster)->blocks) free_.push_back(member);
    clusters_alive_.erase(cluster);
  }

private:
  std::uint64_t number_of(std::uint64_t position) const {
    if (is_last_only_) return position;
    if (machine.options.schedule == Schedule::random) return order_[position];
    return machine.options.schedule == Schedule::reverse ? total_ - 1 - position : position;
  }

  Block* take_block() {
    if (free_.empty()) {
      blocks_.push_back(take_unused_block());
      const unsigned slot = take_window(*blocks_.back());
      reserve_cells_of(grid_, slot + 1);
      prepare_block_slot(grid_, *blocks_.back(), slot);
      free_.push_back(blocks_.back().get());
      grid_.windows.push_back(blocks_.back().get());
    }
    Block* block = free_.back();
    free_.pop_back();
    return block;
  }

  Grid& grid_;
  simt_index3 clusters_; ///< extent of the grid in clusters
  unsigned unit_;        ///< blocks per cluster
  std::uint64_t total_;  ///< clusters
  std::uint64_t next_ = 0;
  bool is_last_only_ = false;
  unsigned capacity_;
  std::vector<std::uint64_t> order_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<Cluster>> clusters_alive_;
  std::vector<Block*> free_, resident_;
};

namespace {

/// Whether a thread waits for a value in memory that host code can write.
bool polls_host(const std::vector<Block*>& resident) {
  return std::ranges::any_of(resident, [](const Block* block) {
    return std::ranges::any_of(block->lanes, [](const Lane& lane) {
      return lane.state == LaneState::spinning && host_can_reach(lane.extras().poll.address);
    });
  });
}

/// What threads wait for.
std::vector<Poll> polls_of(const std::vector<Block*>& resident) {
  std::vector<Poll> polls;
  for (const Block* block : resident)
    for (const Lane& lane : block->lanes)
      if (lane.state == LaneState::spinning) polls.push_back(lane.extras().poll);
  return polls;
}

void grant_steps() {
  machine.steps_left = machine.options.step_budget;
  machine.local_steps_left = machine.options.step_budget * lanes_per_warp;
}

/// The steps that the clock of the device has counted stay counted.
void refund_steps() {
  machine.steps_refunded += steps_since_refund();
  grant_steps();
}

} // namespace

std::uint32_t next_epoch() { return ++last_epoch; }

int suspend() {
  settle_pending_write();
  if (machine.lane->state == LaneState::ready) current_round.goes_on = true;
  Context& own = machine.lane->fiber.context;
  const int result = switch_context(own, context_of(begin_turn()));
  machine.own_stack = stack_of(machine.lane->fiber);
  return result;
}

void seed_schedule(std::uint64_t seed) { random_state = seed; }

std::size_t random_below(std::size_t count) { return next_random() % count; }

struct RunningBlocks {
  explicit RunningBlocks(Grid& own) : grid(own), blocks(own) {}

  Grid& grid;
  Residency blocks;
  unsigned fruitless = 0; ///< passes in a row in which all that threads did was to poll
  bool waits_for_thread = false;
  std::vector<Poll> polls; ///< of the blocks that have given way
};

void EndBlocks::operator()(RunningBlocks* blocks) const { delete blocks; }

static std::uint64_t warps_per_block(const Grid& grid) {
  return (volume(grid.block_extent) + lanes_per_warp - 1) / lanes_per_warp;
}

BlocksOwner start_blocks(Grid& grid) {
  if (machine.options.trace) record_grid(grid);
  machine.grid = &grid;
  machine.subword_accesses = machine.shared_atomics = false;
  unsigned windows = windows_in_use() +
                     static_cast<unsigned>(std::min<std::uint64_t>(max_resident_blocks, volume(grid.extent)));
  if (grid.cooperative) windows = std::max(windows, static_cast<unsigned>(volume(grid.extent)));
  reserve_race_cells(windows);
  if (is_clustered(grid)) {
    machine.subword_accesses = true; // leads every access to the check for clusters
    start_cluster_checks(windows);
  }
  machine.totals = {};
  machine.totals.launches = grid.record.depth == 0;
  machine.totals.child_grids = grid.record.depth != 0;
  machine.steps_refunded = 0;
  machine.waited = {};
  grant_steps();
  machine.block = nullptr; // none of this grid's runs yet
  machine.warp = nullptr;
  consume_work(operations_per_grid);
  return BlocksOwner(new RunningBlocks(grid));
}

Progress run_blocks(RunningBlocks& running, bool may_give_way) {
  Grid& grid = running.grid;
  Residency& blocks = running.blocks;
  unsigned& fruitless = running.fruitless;
  bool has_advanced = false;
  while (!machine.fatal && !blocks.done()) {
    if (blocks.resident().empty()) blocks.admit();
    bool progress = false, polling = false, blocked = false;
    for (Block* block : blocks.in_order()) {
      std::uint64_t before = machine.steps_left;
      Outcome outcome = run_block(*block);
      if (machine.fatal) break;
      polling |= outcome == Outcome::polling;
      blocked |= outcome == Outcome::blocked;
      progress |= outcome == Outcome::blocked && before != machine.steps_left;
      progress |= outcome == Outcome::finished || outcome == Outcome::yielded;
      if (is_grouped(grid)) progress |= release_group_barriers(*block);
      if (outcome == Outcome::finished) {
        blocks.retire(block);
        end_block_of_heap(*block);
        machine.blocks_done += grid.record.depth == 0;
      }
      if (before - machine.steps_left > 4 * block->lanes.size()) {
        fruitless = 0;
        has_advanced = true;
      }
      if (outcome == Outcome::finished && machine.options.budget_per_block) refund_steps();
    }
    if (progress || machine.fatal) {
      fruitless = 0;
      has_advanced = true;
    } else if (!polling && !(blocked && blocks.can_admit())) {
      report_group_deadlock(grid, blocks.resident());
      if (machine.options.trace)
        for (const Block* block : blocks.resident()) record_stuck(*block);
      end_grid(cudaErrorLaunchTimeout);
    } else if (blocks.can_admit()) {
      blocks.admit();
    } else if (may_give_way) {
      running.polls = polls_of(blocks.resident());
      return has_advanced ? Progress::made : Progress::none;
    } else if (resume_all_children()) {
      fruitless = 0;
    } else if (++fruitless <= max_fruitless_passes) {
      if (fruitless == passes_before_waiting)
        running.waits_for_thread = polls_host(blocks.resident()) && has_other_threads();
      if (fruitless >= passes_before_waiting && running.waits_for_thread) {
        const OpenToHost open;
        std::this_thread::sleep_for(time_between_passes);
      }
    } else {
      report_deadlock(*blocks.resident().front());
      if (machine.options.trace)
        for (const Block* block : blocks.resident()) record_stuck(*block);
      end_grid(cudaErrorLaunchTimeout);
    }
  }
  // The next grid's variables lie elsewhere: between them nothing must seem to be written.
  for (Block* block : grid.windows) reset_shared_memory(*block);
  if (machine.options.trace) record_grid(grid);
  finish_blocks(grid);
  return Progress::finished;
}

bool is_answered(const RunningBlocks& blocks) {
  return std::ranges::any_of(blocks.polls, [](const Poll& poll) {
    return std::memcmp(&poll.value, reinterpret_cast<const void*>(real_address(poll.address)), poll.size) !=
           0;
  });
}

namespace {

/// While one lives, what kernels print looks the same whatever the host's language, whose tables are the program's.
class ClassicLocale {
public:
  ClassicLocale() {
    static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
    programs_ = uselocale(classic);
  }
  ~ClassicLocale() { uselocale(programs_); }
  ClassicLocale(const ClassicLocale&) = delete;
  ClassicLocale& operator=(const ClassicLocale&) = delete;

private:
  locale_t programs_;
};

} // namespace

void run_grid(Grid& grid) {
  machine.fatal = false;
  machine.runs_grid = true;
  drop_pending_write();
  begin_global_checks();
  watch_grid(true);
  const ClassicLocale locale;
  begin_device_launches(grid);
  expect_segments(volume(grid.extent) * warps_per_block(grid));
  {
    const AnnouncedAccesses only_announced(grid);
    const BoundsWatch watch(grid);
    BlocksOwner blocks = start_blocks(grid);
    run_blocks(*blocks, false);
    blocks.reset();
    grid.record.counters = machine.totals;
    machine.grid = nullptr;
    run_remaining_launches();
  }
  watch_grid(false);
  machine.grid = nullptr;
  machine.block = nullptr;
  machine.warp = nullptr;
  machine.valid[static_cast<int>(Space::shared)] = {};
  machine.local_steps_left = 1; // host code has nothing to do with the stacks
  machine.runs_grid = false;
}

int block_barrier(int kind, int predicate, const char* file, int line) {
  Lane& lane = *machine.lane;
  lane.wait.kind = kind;
  lane.wait.file = file;
  lane.wait.line = line;
  lane.state = LaneState::at_barrier;
  if (!is_vote(kind)) return suspend();
  lane.wait.predicate = predicate;
  suspend();
  return static_cast<int>(lane.wait.result);
}

std::uint64_t warp_exchange(int kind, unsigned mask, std::uint64_t value, int operand, int width,
                            const char* file, int line) {
  Lane& lane = *machine.lane;
  const bool without_mask = (kind & simt_warp_without_mask) != 0;
  kind &= ~simt_warp_without_mask;
  lane.wait = {.file = file,
               .line = line,
               .kind = kind,
               .mask = mask,
               .operand = operand,
               .width = width,
               .value = value,
               .without_mask = without_mask};
  if (kind != simt_warp_active && !(mask >> lane_of(lane) & 1))
    report({"lanes-missing", "own-lane"}, file, line, fact::Amount{mask});
  lane.state = LaneState::at_warp_sync;
  machine.warp->syncing = true;
  suspend();
  return lane.wait.result;
}

void wait_for_warp() { suspend(); }

void note_poll(std::uintptr_t site, std::uintptr_t address, std::uint64_t value, std::uint32_t size) {
  Poll& poll = machine.lane->change_extras().poll;
  if (poll.site == site && poll.address == address && poll.value == value) {
    machine.lane->state = LaneState::spinning;
    suspend();
    if (size != 0 && std::memcmp(&value, reinterpret_cast<const void*>(real_address(address)), size) != 0)
      report_wait_for_child(address, site);
    return;
  }
  poll = {site, address, value, size};
}

void note_fence(std::uintptr_t site) {
  constexpr std::uint64_t rounds_between_turns = 4096; // more steps than are taken for none
  Poll& poll = machine.lane->change_extras().poll;
  if (poll.site != site || poll.address != 0) poll = {site, 0, 0, 0};
  if (++poll.value % rounds_between_turns != 0) return;
  machine.lane->state = LaneState::spinning;
  suspend();
}

void end_grid(cudaError_t error) {
  machine.fatal = true;
  set_sticky_error(error);
}

void abandon_grid(cudaError_t error) {
  end_grid(error);
  leave_for(machine.scheduler);
}

void consume_steps(std::uint64_t steps, std::uintptr_t site) {
  if (site != 0) last_site = site;
  if (steps < machine.steps_left) {
    machine.steps_left -= steps;
  } else if (!machine.fatal) {
    machine.steps_left = 0;
    report_step_budget(last_site);
    end_grid(cudaErrorLaunchTimeout);
  }
}

void consume_work(std::uint64_t operations) {
  if (operations < machine.work_left) {
    machine.work_left -= operations;
  } else if (!machine.fatal) {
    machine.work_left = 0;
    report_too_much_work(last_site);
    end_grid(cudaErrorLaunchTimeout);
  }
}

void local_budget_exhausted(std::uintptr_t site) {
  report_step_budget(site);
  abandon_grid(cudaErrorLaunchTimeout);
}

} // namespace simt
