// What happened before what, beyond the barriers of one block: the order of accesses to global memory.
//
// The execution of a warp is cut into segments, numbered in the order in which they run; a new one begins
// whenever its lanes go on after a synchronisation. A lane's own time is its segment and the fences it has
// passed in it. Whether an earlier access happened before the running lane's next one follows from
//   - the segments' block, epoch (block barriers) and clock (__syncwarp),
//   - releases and acquires: a fence followed by an atomic or volatile write releases to that address
//   whatever
//     happened before the fence; an atomic or volatile read of the address acquires what has been released to
//     it. Every address that was released to has a log of releases, and a thread's view says how much of
//     which logs it has acquired, directly or through others (`views` are shared and never change),
//   - launches by device code: a launch releases what the launching thread knows to the child's threads, and
//     grids that are complete happened before those that wait for them (see launch_order.hpp).
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <span>

namespace simt {

inline constexpr Mark mark_strong = Mark{1} << 16; ///< an atomic or volatile access
inline constexpr Mark mark_atomic = Mark{1} << 17;
inline constexpr Mark mark_narrow = Mark{1} << 18; ///< an atomic access for the threads of the block only
/// Of reads: the compare-and-swap that follows is checked in their place. They leave no mark.
inline constexpr Mark mark_expected = Mark{1} << 63;
inline constexpr Mark mark_fence = Mark{1} << 24;        ///< one fence
inline constexpr Mark mark_thread = 0xffffffff'00f80000; ///< segment and lane
inline constexpr Mark mark_moment = 0xffffffff'fff80000; ///< segment, fences and lane

inline std::uint32_t segment_of(Mark mark) { return static_cast<std::uint32_t>(mark >> 32); }
inline unsigned lane_of(Mark mark) { return mark >> 19 & 31; }
inline unsigned site_number_of(Mark mark) { return mark & 0xffff; }
/// Of one lane's marks: increases with each of its fences and segments.
inline std::uint64_t time_of(Mark mark) { return mark >> 24; }

struct Segment {
  std::uint32_t block = 0; ///< number of the block among those of the launch
  std::uint32_t epoch = 0;
  std::uint32_t clock = 0; ///< the lanes' clock (see Warp::seen)
  std::uint32_t warp = 0;
};

struct SegmentTable {
  std::uint32_t first = 1; ///< what came before it is ordered before everything now
  std::vector<Segment> segments;
  std::uint32_t end() const { return first + static_cast<std::uint32_t>(segments.size()); }
  const Segment& operator[](Mark mark) const { return segments[segment_of(mark) - first]; }
};
extern SegmentTable segment_table;

/// Forgets everything: a launch by the host happens after all that came before. True if the numbers of
/// segments start again, so that older marks must go.
bool begin_order();

/// Makes room for that many segments: those that a grid of the host will have at least.
void expect_segments(std::uint64_t count);

/// Gives a block that starts its number, and it knows of no other.
void begin_block(Block& block);

/// A warp's lanes go on: they share a segment unless their clocks differ.
void begin_segment(const Block& block, const Warp& warp);
void begin_segment_of_synced_lane(const Block& block, const Warp& warp, const Lane& lane);
inline void begin_unsynced_lane_segment(const Block& block, unsigned lane) {
  machine.mark = Mark{machine.segment} << 32 | Mark{lane} << 19;
  machine.floor = Mark{block.floor} << 32;
}

/// Whether the access happened before the running lane's next one.
bool happened_before(Mark earlier);
/// The same of an access to shared memory by `thread` (linear) of `block`, as far as releases and acquires order it. `when`
/// is the barrier epoch << 32 | clock (see race.hpp).
bool happened_before(std::uint64_t when, const Block& block, unsigned thread);

/// All threads of the block know what each of them knows, as after a barrier.
void join_block(Block& block);
/// The same for the lanes of a group, as after __syncwarp.
void join_lanes(Block& block, const Warp& warp, std::uint32_t group);
/// Everything that these blocks have done so far happens before whatever any of them does next, as after the
/// barrier of a cluster or a grid. Their epochs must change at the same time.
void join_blocks(std::span<Block* const> blocks);

// The following are called by the running lane.

/// A fence that orders for the threads of the block, or for all.
void pass_fence(bool block_only);
/// A fence behind relaxed reads: what they have learned counts from now on.
void pass_acquiring_fence();
/// A launch: a view for the child's threads, of all that the launching thread has done and knows. What it
/// does next comes after that.
std::uint32_t release_to_child();
/// An atomic or volatile write at `address` publishes what its thread's fences have covered.
void release_to(std::uintptr_t address);
/// An atomic or volatile read at `address` learns what has been published there.
void acquire_from(std::uintptr_t address);
/// The same for a lane of a block that stands still.
void acquire_for(Lane& lane, const Block& block, std::uintptr_t address);
/// A relaxed read does so at the thread's next fence.
void acquire_at_next_fence(std::uintptr_t address);
/// Whether the mark is of an atomic or volatile write that published at `address`, and the running lane has
/// learned of it there: then that write itself happened before, too, and the last block may reset a counter.
bool learned_of_update(Mark update, std::uintptr_t address);
/// The same in the shared memory of the running block, of an update by `thread`.
bool learned_of_update(std::uint64_t when, unsigned thread, std::uintptr_t address);

/// The thread that left a mark, for messages.
ThreadId thread_of(Mark mark);
unsigned thread_in_block(Mark mark); ///< linear
/// The number of the grid that the thread belongs to (see launch_order.hpp).
std::uint32_t grid_of(Mark mark);
/// Whether the mark is of the running thread's block, or warp.
bool same_block(Mark mark);
bool same_warp(Mark mark);

} // namespace simt
