// The order that device-side launches make among the grids of one host launch.
//
//   - What the launching thread had done and what it knew of (by barriers and fences) happened before all of
//     its child. What other threads did without its knowledge, and what it did later itself, did not.
//   - A grid is complete when its blocks, the grids that they launched and its tail launches are. All of that
//     happened before the grids that are ordered after it: the next in the same stream, and the tail launches
//     of the parent.
//   - Nothing that a child does happens before anything that its parent does: device code cannot wait.
#pragma once

#include "simt/runtime/machine.hpp"

#include <vector>

namespace simt {

enum class StreamKind : std::uint8_t { block_default, named, fire_and_forget, tail };

/// A grid of the running host launch, and where it was launched. Number 0 is the host's own grid.
struct GridFacts {
  std::uint32_t parent = 0;
  std::uint32_t depth = 0; ///< of the host's grid: 0
  StreamKind stream_kind = StreamKind::block_default;
  std::uint64_t stream = 0; ///< tells streams of one kind and parent apart
  // The launching thread at its launch.
  simt_index3 block{};
  unsigned thread = 0;             ///< linear index in the block
  std::uint64_t now = 0;           ///< Machine::now: epoch of the block << 32 | clock of the lane
  std::uint64_t mark = 0;          ///< for whoever keeps the order of global accesses
  std::vector<std::uint32_t> seen; ///< the lane's row of Warp::seen; empty if the warp never synchronised
};

/// How the accesses of one grid stand to those of another that runs now.
struct GridRelation {
  enum Kind {
    same,
    complete, ///< the earlier grid, with all that it launched, was complete before the other one started
    launched, ///< the earlier grid launched `child`, which is the other one or its ancestor
    unordered
  } kind = unordered;
  std::uint32_t child = 0;
};

/// Starts the facts of a host launch anew.
void begin_launch_order();

/// The running lane launches a grid; returns the grid's number.
std::uint32_t note_launch(StreamKind kind, std::uint64_t stream);

const GridFacts& facts_of(std::uint32_t grid);
GridRelation relation(std::uint32_t earlier, std::uint32_t grid);

/// Whether everything that ran before `grid` started is complete: it is a tail launch of the host's grid, or
/// of such a tail launch, and so on.
bool follows_everything(std::uint32_t grid);

} // namespace simt
