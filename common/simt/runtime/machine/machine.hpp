// The state of the simulator. One thread of the host at a time is in it (host_call.hpp), so this is plain global data: a
// hook that runs a hundred million times cannot afford more.
#pragma once

#include "simt/runtime/machine/fiber.hpp"
#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/simt.hpp"
#include "simt_shim/entry_points.h"

#include "driver_types.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace simt {

enum class LaneState : std::uint8_t {
  ready,
  at_barrier,
  at_group_barrier,
  at_phase, ///< of a cuda::barrier
  at_warp_sync,
  spinning,
  finished
};

/// What a blocked lane waits for, and what it brought along. What __syncthreads() needs comes first, and it needs no more.
struct Wait {
  const char* file = "";
  int line = 0;
  int kind = 0; ///< simt_barrier_kind, simt_warp_kind, or simt_group_scope at a barrier of several blocks
  std::uint64_t result = 0;
  int predicate = 0;
  unsigned mask = 0;
  int operand = 0;
  int width = 32;
  std::uint64_t value = 0;
  bool without_mask = false; ///< a warp operation of before 2017: among the lanes that are active together
};

/// The last polling access of a lane: the same again, with the same answer, means that it waits for another.
struct Poll {
  std::uintptr_t site = 0;
  std::uintptr_t address = 0;
  std::uint64_t value = 0;
  std::uint32_t size = 0; ///< bytes of the value; 0: it is not what is there
};

/// What the clock of a grid's threads has beside their steps. To a thread that does nothing but ask for the time, time passes
/// ever faster: it waits, and how often it has to ask changes neither a result nor a counter.
class WaitedTime {
public:
  /// The time to add when a thread asks after so many steps of the grid.
  std::uint64_t asked(std::uint64_t steps, const void* thread) {
    in_a_row_ = thread == thread_ && steps - last_ <= most_steps_between ? in_a_row_ + 1 : 0;
    last_ = steps;
    thread_ = thread;
    if (in_a_row_ > usual_row) time_ += 1ull << std::min(in_a_row_ - usual_row, most_doublings);
    return time_;
  }

private:
  /// Steps of a loop that keeps the time in a local variable in memory.
  static constexpr std::uint64_t most_steps_between = 4;
  /// So often a thread may ask in a row to measure something short.
  static constexpr unsigned usual_row = 32;
  /// Between two answers passes at most a small part of the range of clock(), which has 32 bits.
  static constexpr unsigned most_doublings = 20;

  std::uint64_t time_ = 0, last_ = 0;
  const void* thread_ = nullptr;
  unsigned in_a_row_ = 0;
};

/// A lane's part in the barrier of its cluster or grid: it has arrived and has not waited yet.
struct Arrival {
  bool pending = false;
  std::uint64_t phase = 0;
  const char* file = "";
  int line = 0;
};

/// A part of a copy that goes on in the background.
struct PendingCopy {
  void* to = nullptr;
  const void* from = nullptr;
  unsigned bytes = 0;         ///< 1, 4, 8 or 16
  unsigned batch = 0;         ///< which call it belongs to
  std::uintptr_t barrier = 0; ///< that it is bound to; 0: it is waited for by its thread
  std::uintptr_t site = 0;
};

/// What a lane has started with memcpy_async.
struct BackgroundCopies {
  std::vector<PendingCopy> pending; ///< in the order of the calls
  unsigned next_batch = 0;
};

/// The barrier of a cluster or of a whole grid.
struct GroupBarrier {
  std::uint64_t arrived = 0; ///< unfinished threads that have arrived in this phase
  std::uint64_t phase = 0;   ///< completed so far
};
/// What a lane's last fence has covered (see order.hpp).
struct Fence {
  std::uint32_t epoch = 0; ///< of the block; 0: no fence yet
  std::uint32_t clock = 0;
  std::uint64_t time = 0;
  std::uint32_t view = 0;
  std::uint32_t known = 0;
  std::uint32_t step = 0; ///< its time in the stamps of shared memory
};
enum FenceKind { fence_for_all, fence_for_block, fence_kinds };

/// Launches of a thread, most of it only as long as it has not asked for an error.
struct LaunchErrors {
  cudaError_t last = cudaSuccess;
  std::uint32_t unchecked = 0; ///< 0: none has failed; else where the first that did is kept
  std::uint32_t unasked = 0;   ///< all of them
  std::uint32_t refused = 0;   ///< where the latest that failed is kept, asked for or not
};

/// The `return` that ended a thread; without one it came to the end of the kernel, or still runs.
struct Returned {
  const char* file = nullptr;
  int line = 0;
};

/// The `return` by which a thread has left a function before its last barrier or exchange, if it has come to none since.
struct Left {
  const char* file = nullptr;
  int line = 0;
  int last = 0; ///< the line of that barrier
};

struct LogEntry;

/// A barrier whose 8 bytes the simulator uses as phase_barrier.cpp says.
struct PhaseBarrier {
  std::uint64_t expected : 20; ///< arrivals in a phase
  std::uint64_t pending : 20;  ///< that this phase still waits for
  std::int64_t bytes : 20;     ///< of copies that this phase still waits for
  std::uint64_t phase : 4;     ///< completed so far, modulo 16
};
static_assert(sizeof(PhaseBarrier) == 8);

/// When a lane has last arrived at a cuda::barrier.
struct PhaseArrival {
  std::uint64_t mark = 0;
  const LogEntry* entry = nullptr; ///< its last access in the warp's log
};

/// What only some lanes ever have.
struct LaneExtras {
  Left left;
  Poll poll;
  Returned returned;
  LaunchErrors launch_errors;
  PhaseArrival arrived;
  std::uint32_t view = 0;          ///< what the lane knows of other threads' releases
  std::uint32_t unfenced_view = 0; ///< what it will know after a fence, from relaxed reads
  // Its last volatile write to global memory.
  std::uint32_t volatile_segment = 0;
  std::uintptr_t volatile_address = 0;
  Fence fences[fence_kinds];
};

/// All that a lane needs which stops at nothing but __syncthreads() lies in its first line of the cache, and what other stops
/// need in the second.
class alignas(64) Lane {
public:
  Fiber fiber;
  LaneState state = LaneState::ready;

private:
  bool has_extras_ = false; ///< since they were last forgotten

public:
  std::uint16_t thread = 0; ///< linear index in the block
  // Phases of the cluster's barrier that the lane has arrived at, and those whose earlier accesses happened
  // before its next ones; both since the cluster's `floor`.
  std::uint16_t released = 0;
  std::uint16_t acquired = 0;
  /// Since the warp last synchronised. They tell the lane's stamps before a fence from those behind it.
  std::uint32_t fences_passed = 0;
  simt_index3 index{};
  Wait wait;

  const LaneExtras& extras() const { return extras_; }
  LaneExtras& change_extras() {
    has_extras_ = true;
    return extras_;
  }
  bool has_extras() const { return has_extras_; }
  void forget_extras() {
    if (std::exchange(has_extras_, false)) extras_ = {};
  }

private:
  alignas(64) LaneExtras extras_;
};

struct Warp {
  unsigned first = 0; ///< linear index of lane 0
  unsigned size = 0;
  bool syncing = false; ///< a lane may wait for others at a warp operation
  bool synced = false;  ///< `seen` is meaningless before the first partial synchronisation
  /// seen[a][b]: the clock of lane b up to which its accesses happened before lane a's next ones.
  std::array<std::array<std::uint32_t, lanes_per_warp>, lanes_per_warp> seen;
};

struct SharedVariable {
  const char* name = "";
  const char* file = "";
  int line = 0;
  const simt_shared_type* type = nullptr;
  std::size_t offset = 0; ///< in the block's window
  std::size_t bytes = 0;
  std::uint32_t looked_at_in = 0; ///< the epoch in which it was last looked at whether ...
  bool is_whole = false;          ///< all of it had been written
};

/// A pointer of a kernel into its dynamic shared memory: what lies there is called by its name.
struct SharedPointer {
  std::string_view name;
  std::size_t offset = 0, element_size = 0;
  bool varies = false; ///< not all threads have it at the same place
};

/// An `if` or a loop with a barrier in it.
struct Branch {
  const char* file = "";
  int first = 0, last = 0; ///< its lines
};

/// How often a lane has come to the condition of a branch since the block's last barrier.
struct BranchVisits {
  std::uint64_t skipped = 0;  ///< bit k: the lane did not enter when it came there for the k-th time
  std::uint64_t order = 0;    ///< increases with the branches that the lane comes to
  std::uint32_t interval = 0; ///< between which barriers that was (Block::interval)
  std::uint32_t times = 0;
  bool loop = false;
  bool entered = false; ///< the last time
};

/// How often threads have waited at the block's barrier in this line.
struct BarrierVisits {
  const char* file = "";
  int line = 0;
  unsigned by_all = 0;             ///< times that all threads of the block waited there together
  std::vector<unsigned> by_thread; ///< other times; empty until there is one
};

struct Grid;
struct Cluster;
struct LaunchNode;

struct Block {
  Grid* grid = nullptr;
  Cluster* cluster = nullptr; ///< null if the block is a cluster of its own
  unsigned rank = 0;          ///< in the cluster
  unsigned slot = 0;          ///< which shared-memory window it owns
  simt_index3 index{};
  std::uintptr_t shared_base = 0;
  std::uint32_t epoch = 0;       ///< changes at every block barrier and is used by no other block
  std::uint32_t first_epoch = 0; ///< the one that it started with
  std::uint32_t used_in = 0; ///< the last epoch with an access to shared memory other than a read that waits
  std::uint32_t barriers_passed = 0;
  std::uint32_t number = 0; ///< among the blocks of the host's launch
  std::uint32_t floor = 0;  ///< segments before this one happened before whatever comes now
  std::vector<Lane> lanes;
  std::vector<Warp> warps;
  unsigned unfinished = 0;
  // By thread, and empty until one of the block needs them.
  std::vector<std::array<Arrival, simt_group_scopes>> arrivals;
  std::vector<BackgroundCopies> copies;
  std::vector<std::uint64_t> tile_values;
  /// Of tiles of several warps, by the first thread and the number of threads.
  std::map<std::pair<unsigned, unsigned>, PhaseBarrier> tiles;
  std::vector<BarrierVisits> barrier_visits;
  bool counts_visits = false; ///< in kernels with barriers in loops
  // These stay for the next block here: what is of an earlier interval counts for nothing.
  std::vector<Branch> branches;
  std::vector<BranchVisits> branch_visits; ///< by branch, and then by thread
  std::uint32_t interval = 0;              ///< changes at every block barrier, and no other block has it
};

/// A thread in a trace (see recorder.hpp); `launch` counts from 1.
struct TracedThread {
  std::uint32_t launch = 0;
  std::uint32_t block = 0;
  std::uint32_t thread = 0;
};
/// One kernel launch that runs. A child (depth > 0) runs while the threads of other grids stand still, or stands still itself.
struct Grid {
  KernelRecord record;
  std::uint32_t number = 0;   ///< among the grids of the host's launch, whose own grid is 0
  std::uint32_t traced = 0;   ///< its place in the trace, from 1 on
  TracedThread launcher;      ///< of a child, if calls are traced
  LaunchNode* node = nullptr; ///< its place among them (see device_launch.hpp)
  simt_index3 extent{}, block_extent{}, cluster_extent{1, 1, 1};
  bool cooperative = false; ///< all blocks are resident together, and grid.sync() is allowed
  GroupBarrier barrier;
  std::vector<Block*> windows; ///< those that have a shared-memory window
  std::size_t dynamic_bytes = 0;
  std::size_t static_bytes = 0;
  std::size_t shared_limit = default_shared_limit;
  std::size_t next_offset = 0; ///< first free byte of the window
  std::vector<SharedVariable> variables;
  bool has_classes = false; ///< among them, of which members may be joined (see joined.hpp)
  std::size_t dynamic_variable = ~std::size_t{0}; ///< its place in `variables`, if a kernel has asked for it
  std::vector<SharedPointer> pointers;
  const simt_closure_operations* operations = nullptr;
  void* closure = nullptr;
};

/// A range of addresses known to be valid, so that most accesses need no table look-up.
struct ValidRange {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

/// Who made an access to global memory, and when: segment (32 bits), fences since it began (8), lane (5),
/// flags (3), number of the call site (16). Later segments compare greater; 0 is no access.
using Mark = std::uint64_t;

struct Machine {
  /// Set while a simulated thread runs, null in host code. Threads of the host see their own: what one of them does while
  /// another runs a kernel is host code. (Initial-exec: reading it costs what reading a global variable does.)
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local Lane* lane = nullptr;
  Warp* warp = nullptr;
  Block* block = nullptr;
  Grid* grid = nullptr;

  std::uintptr_t deep_stack =
      0; ///< a frame less far above own_stack is deeper than a device's stack (device_limits.hpp)
  std::uintptr_t own_stack = 0; ///< where the running lane's begins, with its guard (fiber.hpp)

  // The reserved address space: shared windows first, then global memory. `written` has one bit per byte that
  // is set where the byte is inside an allocation and initialised.
  std::uintptr_t arena = 0;
  std::uint8_t* written = nullptr;
  std::uint64_t launches = 0; ///< by the host, since configure()
  std::size_t moved =
      0; ///< so much behind its addresses memory lies, while accesses have to be announced (announced.hpp)
  ValidRange valid[2]; ///< by Space

  // Happens-before state of the running lane; `now` is (barrier epoch << 32) | lane clock.
  std::uint32_t epoch = 0;
  std::uint64_t now = 0;

  // The same for global memory (see order.hpp): the mark of the running lane, marks before which everything
  // is ordered, and the segment and clock that the lanes of the running warp share.
  std::uint64_t mark = 0;
  std::uint64_t floor = 0;
  std::uint32_t segment = 0;
  std::uint32_t segment_clock = 0;
  bool fences_used = false;    ///< since the host's launch
  bool writes_pending = false; ///< one may wait for its value (see pending_write.hpp)

  Context scheduler = nullptr;
  std::uint64_t steps_left = 0;
  std::uint64_t local_steps_left = 1;
  std::uint64_t steps_refunded = 0;                ///< of the running grid: see Options::budget_per_block
  WaitedTime waited;                               ///< of the running grid
  std::uint64_t work_left = Options{}.work_budget; ///< of the call
  std::atomic<std::uint64_t>* progress = nullptr;  ///< see share_progress
  bool fatal = false;                              ///< the running grid has ended with an error
  std::atomic<bool> is_stopping = false;           ///< see stop_running_kernel
  std::uint64_t blocks_done = 0;                   ///< of the running launch by the host
  bool runs_grid = false;                          ///< be it between its lanes, where launches are made
  // What has happened to shared memory in this grid: rare cases that the fast path skips until they occur.
  bool reads_wait = false; ///< in the round that runs (see waiting_reads.hpp)
  bool rows_wait = false;  ///< some do (see waiting_rows.hpp)
  bool subword_accesses = false;
  bool shared_atomics = false;
  bool exchanging = false; ///< the atomic operation under way keeps nothing of what it finds
  Mark atomic_flags = 0;   ///< of the atomic operation under way, if it has an order
  Counters totals;         ///< of the running grid
  Options options;
};

extern Machine machine;

/// The steps that the running grid has used, those of local variables among them, since it had its whole budget.
inline std::uint64_t steps_since_refund() {
  return machine.options.step_budget * lanes_per_warp - machine.local_steps_left +
         machine.options.step_budget - machine.steps_left;
}

inline constexpr std::size_t arena_span = shared_span + global_span;

inline unsigned lane_of(const Lane& lane) { return lane.thread % lanes_per_warp; }
/// The running lane's clock in the stamps of shared memory (see race.hpp).
inline std::uint32_t stamp_clock_of_unsynced(const Lane& lane) {
  return std::uint32_t{lane.released} << warp_clock_bits | (1 + lane.fences_passed);
}
inline std::uint32_t stamp_clock(const Warp& warp, const Lane& lane) {
  const unsigned number = lane_of(lane);
  return std::uint32_t{lane.released} << warp_clock_bits |
         ((warp.synced ? warp.seen[number][number] : 1) + lane.fences_passed);
}
inline std::uint64_t number_at(const simt_index3& index, const simt_index3& extent) {
  return (std::uint64_t{index.z} * extent.y + index.y) * extent.x + index.x;
}
inline simt_index3 index_at(std::uint64_t number, const simt_index3& extent) {
  return {static_cast<unsigned>(number % extent.x), static_cast<unsigned>(number / extent.x % extent.y),
          static_cast<unsigned>(number / extent.x / extent.y)};
}
inline std::uint64_t volume(const simt_index3& extent) {
  return std::uint64_t{extent.x} * extent.y * extent.z;
}
inline Extent extent_of(const simt_index3& extent) { return {extent.x, extent.y, extent.z}; }

/// Calls `visit` with the access as a template argument.
template <typename Visit>
void with_kind(Access access, const Visit& visit) {
  if (access == Access::read) return visit.template operator()<Access::read>();
  if (access == Access::write) return visit.template operator()<Access::write>();
  visit.template operator()<Access::atomic>();
}

inline ThreadId thread_id(const Block& block, const Lane& lane) {
  return {extent_of(block.index), extent_of(lane.index), lane.thread / lanes_per_warp, lane_of(lane)};
}

/// Tells who watches that kernels are making progress.
inline void note_progress() {
  // One thread writes it.
  if (machine.progress)
    machine.progress->store(machine.progress->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// Completes the record of a grid of the host that has run.
void complete_record(Grid& grid);
/// Keeps a complete record, with those of its child grids, until a report takes them.
void keep_record(Grid& grid);
/// Says from where the latest grid of the host was launched, if it has a record and that is not known.
void tell_record_launch(const HostLaunch& launch);

/// Reserves all that the simulator needs, once; safe to call often. Throws std::runtime_error if the system refuses.
void initialise_machine();

/// Memory that was given away for a time cannot be had back: the program has taken its place.
[[noreturn]] void end_for_want_of_memory();

/// Anonymous memory that costs nothing until it is touched. Throws std::runtime_error.
void* reserve_memory(std::size_t bytes, std::uintptr_t wish = 0);

} // namespace simt
