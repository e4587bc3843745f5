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
  unsigned element_bytes = 0;              ///< 0: unknown
  unsigned address = 0;                    ///< of its first byte, modulo 128; shared: in the block's window
  std::vector<std::uint64_t> extents = {}; ///< elements by dimension, rows first; empty: one dimension
};

/// One grid. `depth` is 0 for those that the host launched.
struct TracedLaunch {
  std::string kernel;
  Extent grid{1, 1, 1};
  Extent block{1, 1, 1};
  Extent cluster{1, 1, 1};
  std::uint64_t shared_bytes = 0; ///< of a block
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
    barrier,     ///< lanes wait for others
    launch,      ///< a lane's child grid begins
  };
  /// Whom a barrier waits for.
  enum class Scope : std::uint8_t { block, cluster, grid };
  Kind kind = Kind::access;
  Access access = Access::read;
  std::uint8_t bytes = 0; ///< of each lane's access
  std::uint32_t launch = 0;
  std::uint32_t block = 0;            ///< linear, x first
  std::uint32_t first_thread = 0;     ///< of the warp, linear in its block
  std::uint32_t lanes = 0;            ///< one bit for each
  std::uint32_t site = 0;             ///< of an access in Trace::sites, of a barrier in Trace::barriers
  std::uint32_t array = 0;            ///< no_array: the lanes' addresses are in none that is known
  std::uint32_t owner = 0;            ///< the block whose array it is, if that is in shared memory
  std::vector<std::uint64_t> offsets; ///< of each of these lanes, in bytes from the array's beginning
  bool outside = false; ///< the array is only the nearest one: offsets before it are negative, modulo 2^64
  bool joined = false;  ///< lanes of the same request as the step before, whose cost stands there
  std::uint32_t cost = 0, least = 0; ///< of a request: see TracedTotal
  Scope scope = Scope::block;        ///< of a barrier
  std::uint32_t phase = 0; ///< how many barriers of this scope the block, cluster or grid has passed before
  bool ended = true;       ///< whether the barrier was completed
  std::uint32_t child = 0; ///< of a launch: the grid's place in the trace

  static constexpr std::uint32_t no_array = ~std::uint32_t{0};

  /// Whether lanes access the array `array` itself.
  bool is_inside() const { return kind == Kind::access && !outside; }
  /// Whether the host has changed the array `array`.
  bool is_by_host() const { return kind == Kind::overwritten || kind == Kind::cleared; }
};

/// What all requests of one kind have cost that a site has made, also those for which the trace has no room.
struct TracedTotal {
  std::uint32_t site = 0;
  Space space = Space::global;
  Access access = Access::read;
  bool remote = false; ///< to shared memory of other blocks: their requests and lanes only
  std::uint64_t requests = 0;
  /// Sectors of global memory or wavefronts of shared memory, as Counters have them; and how few there are if the bytes
  /// that the lanes ask for lie side by side (global) or in banks of their own (shared).
  std::uint64_t cost = 0, least = 0;
  std::uint64_t lanes = 0, bytes = 0; ///< `bytes`: summed over lanes
};

/// A line of the source that the simulator knows by name.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  auto operator<=>(const SourcePlace&) const = default;
};

/// Steps stand in the order in which each thread made them; those of threads of one warp between two
/// synchronisations of it stand side by side, as the warp issues them.
struct Trace {
  std::vector<TracedLaunch> launches;
  std::vector<TracedArray> arrays;
  std::vector<CodeAddress> sites;
  std::vector<SourcePlace> barriers;
  std::vector<TracedTotal> totals;
  std::vector<TracedStep> steps;
  std::uint64_t left_out = 0; ///< steps for which there was no room
  bool complete = true;       ///< whether no step was left out for its size
  bool carried =
      false; ///< whether values may have gone another way: through the host, or a barrier that counts

  bool empty() const { return steps.empty(); }
};

/// What the totals come to, as counters: of accesses that are not remote their requests, sectors or wavefronts, lanes and bytes.
Counters counters_of(const Trace& trace);

void to_json(nlohmann::json& json, const Trace& trace);
/// Throws std::runtime_error if a step refers to what is not there.
void from_json(const nlohmann::json& json, Trace& trace);

} // namespace simt
