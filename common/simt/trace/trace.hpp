// What the kernels of a call have done with memory, request by request: plain data with JSON. The simulator records it if
// asked (Options::trace); formula.hpp and lineage.hpp read it.
#pragma once

#include "simt/report/report.hpp"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace simt {

/// An array that kernels have accessed: a buffer, a variable, or a block of memory without a name.
struct TracedArray {
  std::string name; ///< empty where unknown
  Space space = Space::global;
  std::uint64_t bytes = 0;
  unsigned element_bytes = 0; ///< 0: unknown
};

/// One grid. `depth` is 0 for those that the host launched.
struct TracedLaunch {
  std::string kernel;
  Extent grid{1, 1, 1};
  Extent block{1, 1, 1};
  unsigned depth = 0;
  /// The thread that launched it, if `depth` > 0: the grid's place in the trace, and linear numbers.
  std::uint32_t parent = 0, parent_block = 0, parent_thread = 0;
};

/// One step of one warp, or of the host between two grids.
struct TracedStep {
  enum class Kind : std::uint8_t {
    access,      ///< lanes access one array
    exchange,    ///< lanes pass values through registers: a shuffle, a vote
    overwritten, ///< the host has put other values into an array: offsets {first, last + 1}
    cleared,     ///< the host has set all bytes of these offsets to one value
  };
  Kind kind = Kind::access;
  Access access = Access::read;
  std::uint8_t bytes = 0; ///< of each lane's access
  std::uint32_t launch = 0;
  std::uint32_t block = 0;        ///< linear, x first
  std::uint32_t first_thread = 0; ///< of the warp, linear in its block
  std::uint32_t lanes = 0;        ///< one bit for each
  std::uint32_t site = 0;
  std::uint32_t array = 0;
  std::uint32_t owner = 0;            ///< the block whose array it is, if that is in shared memory
  std::vector<std::uint64_t> offsets; ///< of each of these lanes, in bytes from the array's beginning
};

/// Steps stand in the order in which each thread made them; those of threads of one warp between two
/// synchronisations of it stand side by side, as the warp issues them.
struct Trace {
  std::vector<TracedLaunch> launches;
  std::vector<TracedArray> arrays;
  std::vector<CodeAddress> sites;
  std::vector<TracedStep> steps;
  bool complete = true; ///< whether no step was left out for its size
  bool carried =
      false; ///< whether values may have gone another way: through the host, or a barrier that counts

  bool empty() const { return steps.empty(); }
};

void to_json(nlohmann::json& json, const Trace& trace);
/// Throws std::runtime_error if a step refers to what is not there.
void from_json(const nlohmann::json& json, Trace& trace);

} // namespace simt
