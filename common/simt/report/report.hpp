// What the simulator tells the outside: counters, diagnostics and one record per kernel launch.
// Plain data with JSON, shared by the runner (which fills it) and the grader (which judges and prints it).
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace simt {

/// Counts of one kernel launch or of one source location. `launches` are those by the host, `child_grids`
/// grids launched by device code; the launches that a kernel made itself follow by the kind of stream, then
/// those that failed, and those after which the launching thread never asked for an error. A request is one
/// warp-level instruction; sectors are distinct 32-byte chunks; bytes and lanes are summed over active
/// lanes. The shared_ fields count accesses to the block's own shared memory, the remote_shared_ fields
/// those to other blocks of the cluster: warp-level requests with at least one such lane, and the lanes'
/// single accesses. A barrier counts once for its block, cluster or grid. Field names are the JSON keys.
struct Counters {
#define SIMT_FOR_EACH_COUNTER(X)                                                                             \
  X(launches)                                                                                                \
  X(child_grids)                                                                                             \
  X(default_stream_launches)                                                                                 \
  X(named_stream_launches)                                                                                   \
  X(fire_and_forget_launches)                                                                                \
  X(tail_launches)                                                                                           \
  X(failed_device_launches)                                                                                  \
  X(unchecked_launches)                                                                                      \
  X(threads)                                                                                                 \
  X(global_load_requests)                                                                                    \
  X(global_load_sectors)                                                                                     \
  X(global_load_bytes)                                                                                       \
  X(global_load_lanes)                                                                                       \
  X(global_store_requests)                                                                                   \
  X(global_store_sectors)                                                                                    \
  X(global_store_bytes)                                                                                      \
  X(global_store_lanes)                                                                                      \
  X(global_atomic_requests)                                                                                  \
  X(global_atomic_sectors)                                                                                   \
  X(global_atomic_bytes)                                                                                     \
  X(global_atomic_lanes)                                                                                     \
  X(shared_load_requests)                                                                                    \
  X(shared_load_wavefronts)                                                                                  \
  X(shared_load_ideal_wavefronts)                                                                            \
  X(shared_load_bytes)                                                                                       \
  X(shared_load_lanes)                                                                                       \
  X(shared_store_requests)                                                                                   \
  X(shared_store_wavefronts)                                                                                 \
  X(shared_store_ideal_wavefronts)                                                                           \
  X(shared_store_bytes)                                                                                      \
  X(shared_store_lanes)                                                                                      \
  X(shared_atomic_requests)                                                                                  \
  X(shared_atomic_wavefronts)                                                                                \
  X(shared_atomic_ideal_wavefronts)                                                                          \
  X(shared_atomic_bytes)                                                                                     \
  X(shared_atomic_lanes)                                                                                     \
  X(remote_shared_load_requests)                                                                             \
  X(remote_shared_loads)                                                                                     \
  X(remote_shared_store_requests)                                                                            \
  X(remote_shared_stores)                                                                                    \
  X(remote_shared_atomic_requests)                                                                           \
  X(remote_shared_atomics)                                                                                   \
  X(barriers)                                                                                                \
  X(cluster_barriers)                                                                                        \
  X(grid_barriers)                                                                                           \
  X(warp_syncs)                                                                                              \
  X(shuffles)                                                                                                \
  X(approximate)
#define SIMT_COUNTER_FIELD(name) std::uint64_t name = 0;
  SIMT_FOR_EACH_COUNTER(SIMT_COUNTER_FIELD)
#undef SIMT_COUNTER_FIELD

  Counters& operator+=(const Counters& other);
  bool operator==(const Counters&) const = default;
};

/// A code location as an offset into a module file, so that any process can look up its source line.
struct CodeAddress {
  std::string module;
  std::uint64_t offset = 0;
  bool operator==(const CodeAddress&) const = default;
};

/// What one instruction of a kernel did.
struct SiteCounters {
  CodeAddress where;
  Counters counters;
};

/// One simulated thread; `warp` counts within the block and `lane` within the warp.
struct ThreadId {
  std::array<unsigned, 3> block{};
  std::array<unsigned, 3> thread{};
  unsigned warp = 0;
  unsigned lane = 0;
  bool operator==(const ThreadId&) const = default;
};

enum class Severity { note, warning, error };

/// What a thread does with memory.
enum class Access : std::uint8_t { read, write, atomic };

/// One of the (at most two) parties of a diagnostic: who did what, and where in the source.
struct Participant {
  std::string action;             ///< "writes 4 bytes", "waits at __syncthreads()"
  std::optional<Access> access;   ///< what it did with the memory that the finding is about, if anything
  unsigned bytes = 0;             ///< of that access
  std::optional<unsigned> depth;  ///< of its grid, in findings about two grids
  std::optional<ThreadId> thread; ///< absent for host code
  CodeAddress where;              ///< empty module: use file and line instead
  std::string file;
  unsigned line = 0;
};

enum class Space : std::uint8_t { global, shared };

/// Of an address that belongs to no array: where it lies beside the nearest one, Diagnostic::variable.
struct Outside {
  enum class Side { before, across, past }; ///< across: the access begins inside
  Side side = Side::past;
  std::uint64_t distance = 0;    ///< in bytes: to the start, or from the end; 0 where it is across
  std::uint64_t array_bytes = 0; ///< that the array has
};

/// Of a launch that was refused: what it asked for, and the rule that it broke.
struct Refused {
  std::string rule;  ///< stable, kebab-case: "empty-grid", "dynamic-shared-memory", "pending-launches", ...
  std::string error; ///< "cudaErrorInvalidValue"
  std::uint64_t asked = 0, allowed = 0; ///< where the rule is a limit: bytes, threads, blocks or launches
  std::uint64_t cluster_blocks = 1;     ///< blocks in a cluster of the launch
};

/// One finding. Findings of the same id at the same pair of source locations are one Diagnostic with a count.
struct Diagnostic {
  std::string id; ///< stable, kebab-case
  Severity severity = Severity::error;
  std::string kernel;
  std::string message;               ///< one or two sentences that need no source line to be understood
  std::string variable;              ///< empty where unknown
  std::string index;                 ///< "[3][5]", empty where unknown
  std::optional<Space> space;        ///< of the memory that it is about
  std::vector<std::int64_t> element; ///< of `variable`: {3, 5}; empty where unknown
  std::optional<std::array<unsigned, 3>>
      owner;                      ///< the block whose shared memory it is, where that is another one
  std::optional<Outside> outside; ///< where `variable` is only near
  std::optional<std::array<std::uint64_t, 2>>
      written;          ///< of a race: what the one and the other write leave, as bits
  bool alike = false;   ///< of a race: both parties do the same, as in `a[i] += 1`
  bool crowded = false; ///< of a kernel that did not end: it has more threads than the device holds at once
  std::optional<Refused> refused; ///< the launch that failed, of findings that come from one
  std::optional<std::array<std::uint64_t, 2>>
      rank; ///< of a cluster: the block rank asked for, and the blocks it has
  std::vector<Participant> participants;
  std::vector<std::string> notes;
  std::string suggestion;
  std::string
      cause; ///< id of another finding in the same kernel that this one follows from; empty if none is known
  std::uint64_t count = 1;
};

/// One kernel launch that ran to its end or to a fatal diagnostic. `depth` is 0 for launches from the host;
/// child grids of one host launch that have name, shape and depth in common share a record, and its counters
/// are their sum (`child_grids` says how many they are).
struct KernelRecord {
  std::string name;
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{1, 1, 1};
  std::array<unsigned, 3> cluster{1, 1, 1};
  std::size_t shared_bytes = 0; ///< static and dynamic together, per block
  unsigned depth = 0;
  Counters counters;
  std::vector<SiteCounters> sites;
};

/// Whether the two parties are threads of one warp.
bool within_warp(const Diagnostic& diagnostic);
/// Whether the two parties are threads of one block, of one grid.
bool within_block(const Diagnostic& diagnostic);
/// Whether the two parties are threads of two blocks of one grid.
bool between_blocks(const Diagnostic& diagnostic);

/// "tile[3][5] of block (1,0,0)", as the message calls the place that it is about.
std::string place_text(const Diagnostic& diagnostic);

struct Report {
  std::vector<KernelRecord> kernels;
  std::vector<Diagnostic> diagnostics;
};

/// Sum over all kernels of a report.
Counters total(const Report& report);

const char* name_of(Severity severity);

/// Counters with value zero are left out of the JSON and read back as zero.
void to_json(nlohmann::json& json, const Counters& counters);
void from_json(const nlohmann::json& json, Counters& counters);
void to_json(nlohmann::json& json, const CodeAddress& address);
void from_json(const nlohmann::json& json, CodeAddress& address);
void to_json(nlohmann::json& json, const SiteCounters& site);
void from_json(const nlohmann::json& json, SiteCounters& site);
void to_json(nlohmann::json& json, const ThreadId& thread);
void from_json(const nlohmann::json& json, ThreadId& thread);
void to_json(nlohmann::json& json, const Participant& participant);
void from_json(const nlohmann::json& json, Participant& participant);
void to_json(nlohmann::json& json, const Diagnostic& diagnostic);
void from_json(const nlohmann::json& json, Diagnostic& diagnostic);
void to_json(nlohmann::json& json, const KernelRecord& kernel);
void from_json(const nlohmann::json& json, KernelRecord& kernel);
void to_json(nlohmann::json& json, const Report& report);
void from_json(const nlohmann::json& json, Report& report);

} // namespace simt
