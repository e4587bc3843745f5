// What the simulator tells the outside: counters, diagnostics and one record per kernel launch.
// Plain data with JSON, shared by the runner (which fills it) and the grader (which judges and prints it).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace simt {

/// Counts of one kernel launch or of one source location. `launches` are those by the host, `child_grids`
/// grids launched by device code; the launches that a kernel made itself follow by the kind of stream, then
/// those that failed, and those after which the launching thread never asked for an error. A request is one
/// warp-level instruction; sectors are distinct 32-byte chunks; bytes and lanes are summed over active
/// lanes. The shared_ fields count accesses to the block's own shared memory, the remote_shared_ fields
/// those to other blocks of the cluster: warp-level requests with at least one such lane, and the lanes'
/// single accesses. The texture_ fields count fetches of which at least one lane reads a texel, the texture_linear_ fields
/// those among them that read one texel of linear memory per lane; of arrays, whose layout is the device's own, and of
/// what is filtered no sectors are counted. A barrier counts once for its block, cluster or grid. The last two are of a whole call (Transfer).
/// Field names are the JSON keys.
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
  X(texture_requests)                                                                                        \
  X(texture_lanes)                                                                                           \
  X(texture_linear_requests)                                                                                 \
  X(texture_linear_sectors)                                                                                  \
  X(texture_linear_bytes)                                                                                    \
  X(surface_load_requests)                                                                                   \
  X(surface_load_lanes)                                                                                      \
  X(surface_store_requests)                                                                                  \
  X(surface_store_lanes)                                                                                     \
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
  X(approximate)                                                                                             \
  X(joined_load_requests)                                                                                    \
  X(joined_load_sectors)                                                                                     \
  X(joined_store_requests)                                                                                   \
  X(joined_store_sectors)                                                                                    \
  X(joined_shared_load_requests)                                                                             \
  X(joined_shared_load_wavefronts)                                                                           \
  X(joined_shared_load_ideal_wavefronts)                                                                     \
  X(joined_shared_store_requests)                                                                            \
  X(joined_shared_store_wavefronts)                                                                          \
  X(joined_shared_store_ideal_wavefronts)                                                                    \
  X(device_to_host_bytes)                                                                                    \
  X(host_to_device_bytes)
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

enum class Severity { warning, error };

/// What a thread does with memory.
enum class Access : std::uint8_t { read, write, atomic };

enum class Space : std::uint8_t { global, shared };

/// The counters of one kind of access to memory.
struct Traffic {
  using Counter = std::uint64_t Counters::*;
  Counter requests;
  Counter cost; ///< sectors of global memory, wavefronts of shared memory
  Counter bytes, lanes;
  Counter ideal = nullptr; ///< wavefronts without conflicts
  // Of these, so many the fewer where nvcc joins neighbouring accesses of a thread. Of wavefronts it may be less than none, modulo
  // 2^64: what is wide goes in more groups of lanes.
  Counter joined_requests = nullptr, joined_cost = nullptr, joined_ideal = nullptr;

  /// What is left where nvcc joins them.
  std::uint64_t requests_if_joined(const Counters& c) const { return left_of(c, requests, joined_requests); }
  std::uint64_t cost_if_joined(const Counters& c) const { return left_of(c, cost, joined_cost); }
  std::uint64_t ideal_if_joined(const Counters& c) const { return left_of(c, ideal, joined_ideal); }

private:
  static std::uint64_t left_of(const Counters& c, Counter all, Counter joined) {
    return c.*all - (joined ? c.*joined : 0);
  }
};

#define SIMT_TRAFFIC(kind, cost)                                                                             \
  &Counters::kind##_requests, &Counters::kind##_##cost, &Counters::kind##_bytes, &Counters::kind##_lanes
#define SIMT_SHARED_TRAFFIC(kind) SIMT_TRAFFIC(kind, wavefronts), &Counters::kind##_ideal_wavefronts
#define SIMT_JOINED_SHARED_TRAFFIC(kind)                                                                     \
  SIMT_SHARED_TRAFFIC(kind), &Counters::joined_##kind##_requests, &Counters::joined_##kind##_wavefronts,     \
      &Counters::joined_##kind##_ideal_wavefronts
/// By Space and Access.
inline constexpr Traffic traffic_table[2][3] = {
    {{SIMT_TRAFFIC(global_load, sectors), nullptr, &Counters::joined_load_requests,
      &Counters::joined_load_sectors},
     {SIMT_TRAFFIC(global_store, sectors), nullptr, &Counters::joined_store_requests,
      &Counters::joined_store_sectors},
     {SIMT_TRAFFIC(global_atomic, sectors)}},
    {{SIMT_JOINED_SHARED_TRAFFIC(shared_load)},
     {SIMT_JOINED_SHARED_TRAFFIC(shared_store)},
     {SIMT_SHARED_TRAFFIC(shared_atomic)}}};
#undef SIMT_JOINED_SHARED_TRAFFIC
#undef SIMT_SHARED_TRAFFIC
#undef SIMT_TRAFFIC

constexpr const Traffic& traffic_of(Space space, Access access) {
  return traffic_table[static_cast<int>(space)][static_cast<int>(access)];
}

/// What a grid is to another one that uses the same memory.
enum class Kin : std::uint8_t { parent, ancestor, child, descendant, relative, later_relative };

/// One of the (at most two) parties of a diagnostic: who did what, and where in the source.
struct Participant {
  std::optional<Access> access;   ///< what it did with the memory that the finding is about, if anything
  unsigned bytes = 0;             ///< of that access
  std::string waits_at;           ///< "__syncthreads()"; empty if it does not wait there
  bool polls = false;             ///< it keeps reading the same value in a loop
  std::optional<unsigned> visits; ///< to the barrier that the finding is about
  std::optional<unsigned> depth;  ///< of its grid, in findings about two grids
  std::string kernel;             ///< of its grid, there
  Kin kin = Kin::relative;        ///< of its grid to the other one, there
  std::optional<ThreadId> thread; ///< absent for host code
  CodeAddress where;              ///< empty module: use file and line instead
  std::string file;
  unsigned line = 0;
  bool operator==(const Participant&) const = default;
};

/// Of an address that belongs to no array: where it lies beside the nearest one, Finding::variable.
struct Outside {
  static constexpr const char* name = "outside";
  enum class Side { before, across, past }; ///< across: the access begins inside
  Side side = Side::past;
  std::uint64_t distance = 0;      ///< in bytes: to the start, or from the end; 0 where it is across
  std::uint64_t array_bytes = 0;   ///< that the array has
  std::uint64_t element_bytes = 0; ///< that each of its elements has; 0 where unknown
  std::uint64_t pitch = 0;         ///< from row to row, in bytes, of memory that has one
  std::uint64_t width = 0;         ///< of its rows, in bytes, as asked for
  bool dynamic = false;            ///< the launch says how large it is
  bool operator==(const Outside&) const = default;
};
/// Whether it lies near the end that the array would have if its bytes were a multiple of 2^32 more.
inline bool is_near_cut_end(const Outside& outside) {
  constexpr std::uint64_t cut = std::uint64_t{1} << 32, most = std::uint64_t{1} << 20;
  return outside.side == Outside::Side::past && outside.distance >= cut - most && outside.array_bytes != 0 &&
         (cut - outside.distance % cut) % cut <= most;
}

/// Of a race: what all of its times have in common.
struct Spread {
  static constexpr const char* name = "spread";
  bool elements = false;     ///< it is not always about the same place in memory
  bool indices = false;      ///< between blocks: their threads do not always have the same threadIdx
  bool lone_writers = false; ///< of a read and a write: no two threads have written one place
  bool writers = false;      ///< several threads have written one place, one after the other
  bool pairs =
      false; ///< each two threads meet at two places, and do at the one what the other does at the other one
  bool operator==(const Spread&) const = default;
};

using Extent = std::array<unsigned, 3>;
inline std::uint64_t volume(const Extent& extent) { return std::uint64_t{extent[0]} * extent[1] * extent[2]; }

/// Of a launch that was refused: what it asked for, and the rule that it broke.
struct Refused {
  static constexpr const char* name = "refused";
  std::string rule;  ///< stable, kebab-case: "empty-grid", "dynamic-shared-memory", "pending-launches", ...
  std::string error; ///< "cudaErrorInvalidValue"
  std::uint64_t asked = 0, allowed = 0; ///< where the rule is a limit: bytes, threads, blocks or launches
  Extent grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  bool operator==(const Refused&) const = default;
};

/// What a kernel was launched with.
struct Argument {
  std::string variable =
      {}; ///< the array that it points into or beside; empty if none, and for what is no pointer
  std::int64_t element = 0; ///< of that array
  std::string value = {};   ///< of a number; empty where unknown
  std::uint64_t element_bytes = 0; ///< of what the kernel's pointer points to; 0 where unknown
  bool operator==(const Argument&) const = default;
};

/// A launch by the host.
struct HostLaunch {
  std::vector<CodeAddress> callers; ///< from the function that launches outwards, in that function's module
  std::vector<Argument> arguments;  ///< as the kernel's parameters are
  /// The first two of them that are one address in device memory.
  std::optional<std::array<std::size_t, 2>> same_memory = {};
  bool operator==(const HostLaunch&) const = default;
};

/// What a texture or surface object is made of. Extents are in texels, rows, and slices or layers; 0 where it has none.
struct Texels {
  static constexpr const char* name = "texels";
  enum class Shape {
    linear,
    pitched,
    one_d,
    two_d,
    three_d,
    layered_1d,
    layered_2d,
    cubemap,
    layered_cubemap
  };
  enum class Kind { signed_integers, unsigned_integers, floats };
  Shape shape = Shape::linear;
  std::array<std::uint64_t, 3> extents{};
  Kind kind = Kind::floats;
  unsigned channels = 1;
  unsigned channel_bits = 32;
  bool normalized = false; ///< a fetch gives floats, though the texels are integers
  bool operator==(const Texels&) const = default;
};

/// A place in memory, in the words of the student's program.
struct Place {
  std::string variable = {};       ///< "tile", "x"; empty where unknown
  std::uint64_t unnamed_bytes = 0; ///< of memory from cudaMalloc without a name: how many were asked for
  std::optional<Space> space = {};
  std::vector<std::int64_t> element = {}; ///< of `variable`: {3, 5}; empty where unknown
  std::uint64_t byte = 0;                 ///< of the element; of the variable where that is unknown
  bool in_array = false;                  ///< a CUDA array: the element is its texel
  std::optional<Extent> owner = {};       ///< the block whose shared memory it is, where that is another one
  bool operator==(const Place&) const = default;
};

/// What findings of some ids know beside that; the catalogue says which of it (Wording::kind). Each fact is a type, and `name`
/// its name in JSON.
namespace fact {

#define SIMT_FACT(Type, key, T)                                                                              \
  struct Type {                                                                                              \
    static constexpr const char* name = key;                                                                 \
    T value{};                                                                                               \
    bool operator==(const Type&) const = default;                                                            \
  };
using Two = std::array<std::uint64_t, 2>;
SIMT_FACT(Alike, "alike", bool)                   ///< of a race: both do the same, as in `a[i] += 1`
SIMT_FACT(Amount, "amount", std::uint64_t)        ///< asked for, missing or launched; or a mask
SIMT_FACT(Crowded, "crowded", bool)               ///< the device holds fewer threads than the kernel has
SIMT_FACT(Error, "error", std::string)            ///< of a call other than a launch
SIMT_FACT(Group, "group", std::string)            ///< of a barrier of several blocks: "cluster" or "grid"
SIMT_FACT(IndexBits, "index_bits", unsigned)      ///< of an index that has overflowed
SIMT_FACT(Lanes, "lanes", std::uint32_t)          ///< of a warp: those that are missing
SIMT_FACT(Limit, "limit", std::uint64_t)          ///< what there is of the amount, or may be used
SIMT_FACT(Other, "other", std::string)            ///< another one of the subject's sort
SIMT_FACT(Rank, "rank", Two)                      ///< of a block: that asked for, and how many there are
SIMT_FACT(Subject, "subject", std::string)        ///< a function, a kernel launched, an expression
SIMT_FACT(Used, "used", std::uint64_t)            ///< what of the limit was in use
SIMT_FACT(Written, "written", std::optional<Two>) ///< of a race: what the two writes leave, as bits
#undef SIMT_FACT

using Any = std::variant<Outside, Refused, Spread, Texels, Alike, Amount, Crowded, Error, Group, IndexBits,
                         Lanes, Limit, Other, Rank, Subject, Used, Written>;

template <typename Fact, typename... All>
constexpr unsigned place_among(const std::variant<All...>*) {
  unsigned place = 0;
  bool found = false;
  ((found = found || std::is_same_v<Fact, All>, place += found ? 0 : 1), ...);
  return place;
}
/// Which facts: a bit for each.
using Set = std::uint32_t;
template <typename... Facts>
inline constexpr Set of = (Set{0} | ... | of<Facts>);
template <typename Other>
inline constexpr Set of<Other> = 0;
template <typename Fact>
requires requires { Fact::name; }
inline constexpr Set of<Fact> = 1u << place_among<Fact>(static_cast<const Any*>(nullptr));

} // namespace fact

/// One finding, about a place if that is known. Findings of the same id at the same pair of source locations are one Finding with a count.
/// What it says to a reader is in the catalogue (catalogue.hpp, wording.hpp).
struct Finding : Place {
  std::string id;   ///< stable, kebab-case
  std::string kind; ///< of an id that has several: which; kebab-case
  Severity severity = Severity::error;
  std::vector<fact::Any> facts; ///< those of its id and kind
  std::string kernel;
  Extent grid{1, 1, 1}, block{1, 1, 1}; ///< of the launch of `kernel`, where it runs
  std::uint64_t address = 0;            ///< that was used, where that says something
  std::vector<CodeAddress>
      allocated; ///< the calls of host code that have allocated `variable`, from the innermost outwards
  std::optional<HostLaunch> launch;     ///< of `kernel`, or of the grid that it descends from
  std::vector<Participant> participants;
  std::vector<std::vector<Participant>>
      elsewhere;     ///< the participants of findings that are merged with this one
  std::vector<std::string> kernels; ///< other ones in which the same was found
  std::string cause; ///< id of another finding in the same kernel that this one follows from; or empty
  std::uint64_t count = 1;

  /// Null if findings of its id and kind have no such fact.
  template <typename Fact>
  const Fact* get() const {
    for (const fact::Any& any : facts)
      if (const Fact* fact = std::get_if<Fact>(&any)) return fact;
    return nullptr;
  }
  template <typename Fact>
  bool has(const auto& that_holds) const {
    const Fact* fact = get<Fact>();
    return fact && that_holds(*fact);
  }
  bool operator==(const Finding&) const = default;
  bool has(const fact::Any& fact) const { return std::ranges::find(facts, fact) != facts.end(); }
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
  std::optional<HostLaunch> launch = {}; ///< of depth 0, where there are sites and no launches are merged
};

enum class Crossing : std::uint8_t { to_host, to_device, within_device };

/// What crossed between host and device in one direction at one place: by copies, and by the use of memory that both of
/// them see, of which each byte counts once between two launches by the host. Within the device: what copies of the runtime moved
/// there in a kernel's place, which is what they did piece by piece, and what they left in the caller's arrays and no kernel changed.
struct Transfer {
  Crossing direction = Crossing::to_host;
  std::string
      by; ///< "cudaMemcpy"; "host code", which uses device memory; or "kernel f", which uses the host's
  CodeAddress where; ///< of the call, or of the access
  std::uint64_t bytes = 0;
  std::uint64_t count = 0; ///< of copies or accesses
};

/// Whether the two parties are threads of one warp.
bool within_warp(const Finding& diagnostic);
/// Whether the two parties are threads of one block, of one grid.
bool within_block(const Finding& diagnostic);
/// Whether the two parties are threads of two blocks of one grid.
bool between_blocks(const Finding& diagnostic);
/// Whether both parties write, neither of them by an atomic operation.
bool both_write(const Finding& diagnostic);

struct Report {
  std::vector<KernelRecord> kernels;
  std::vector<Finding> diagnostics;
  std::vector<Transfer> transfers; ///< of the whole call
};

/// Bytes that crossed in this direction.
std::uint64_t crossed(const std::vector<Transfer>& transfers, Crossing direction);

/// Sum over all kernels of a report, and what crossed.
Counters total(const Report& report);

const char* name_of(Access access);
const char* name_of(Space space);

/// Counters with value zero are left out of the JSON and read back as zero.
void to_json(nlohmann::json& json, const Counters& counters);
void from_json(const nlohmann::json& json, Counters& counters);
void to_json(nlohmann::json& json, const CodeAddress& address);
void from_json(const nlohmann::json& json, CodeAddress& address);
void to_json(nlohmann::json& json, const Finding& diagnostic);
void from_json(const nlohmann::json& json, Finding& diagnostic);
void to_json(nlohmann::json& json, const Transfer& transfer);
void from_json(const nlohmann::json& json, Transfer& transfer);
void to_json(nlohmann::json& json, const KernelRecord& kernel);
void from_json(const nlohmann::json& json, KernelRecord& kernel);
void to_json(nlohmann::json& json, const Report& report);
void from_json(const nlohmann::json& json, Report& report);

} // namespace simt
