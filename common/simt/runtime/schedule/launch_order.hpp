// The order that device-side launches make among the grids of one host launch.
//
//   - What the launching thread had done and what it knew of (by barriers and fences) happened before all of
//     its child. What other threads did without its knowledge, and what it did later itself, did not.
//   - A grid is complete when its blocks, the grids that they launched and its tail launches are. All of that
//     happened before the grids that are ordered after it: the next in the same stream, and the tail launches
//     of the parent.
//   - Nothing that a child does happens before anything that its parent does, unless a release and an acquire
//     order the two: device code cannot wait for a grid.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <string>
#include <vector>

namespace simt {

enum class StreamKind : std::uint8_t { block_default, named, fire_and_forget, tail };

/// A grid of the running host launch, and who launched it. Number 0 is the host's own grid.
struct GridFacts {
  std::uint32_t parent = 0;
  std::uint32_t depth = 0; ///< of the host's grid: 0
  StreamKind stream_kind = StreamKind::block_default;
  std::uint64_t stream = 0; ///< tells streams of one kind and parent apart
  std::string kernel;       ///< for messages
  // For the order of accesses (see order.hpp): what the launching thread knew, and the first segment that may
  // be unordered with what the grid does.
  std::uint32_t view = 0;
  std::uint32_t floor = 0;
  bool follows_everything = false; ///< a tail launch of the host's grid, or of such a tail launch, and so on
};

/// Starts the facts of a host launch again; `kernel` names its grid.
void begin_launch_order(std::string kernel);

/// The running lane launches a grid, with this view of what others did; returns the grid's number.
std::uint32_t note_launch(StreamKind kind, std::uint64_t stream, std::string kernel, std::uint32_t view);

/// The grid starts to run; its segments will begin with this one.
void note_start(std::uint32_t grid, std::uint32_t next_segment);

const GridFacts& facts_of(std::uint32_t grid);

/// Whether `earlier`, with all that it launched, was complete before `grid` started.
bool is_complete_before(std::uint32_t earlier, std::uint32_t grid);

/// Whether everything that ran before `grid` started is complete: it is a tail launch of the host's grid, or
/// of such a tail launch, and so on.
bool follows_everything(std::uint32_t grid);

} // namespace simt
