#pragma once
/// A call of a contract's function as data, and the reply to it. The grader writes calls and the
/// runner answers them; neither knows the other's types. Contents of buffers travel beside the
/// message in one shared memory file (see memory.hpp), as images laid out by the grader.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simt/report/launches_left_out.hpp"
#include "simt/report/schedule.hpp"
#include "simt/report/unseen.hpp"
#include "simt/report/watched_thread.hpp"

namespace warpbook {

/// Types of scalar arguments, returned values and generated elements.
enum class ScalarType { boolean, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

/// Size in bytes of a scalar of this type.
std::size_t size_of(ScalarType type);

/// "f32", "i64", ...; the names that travel in messages.
const char* name_of(ScalarType type);

using simt::LaunchesLeftOut;
using simt::Schedule;
using simt::UnseenAccess;

/// "forward", "reverse" or "random".
const char* name_of(Schedule schedule);

/// Room for launches by device code: so many may be pending, for those that grids of depth `from_depth` (the
/// host's own have depth 0) and deeper ones make.
struct LaunchRoom {
  std::size_t launches = 0;
  unsigned from_depth = 0;
};

enum class Direction { in, out, inout };

/// How the elements of a generated buffer are made; see generate.hpp for the exact values.
struct Distribution {
  enum class Shape { uniform, constant, sequence, whole };
  Shape shape = Shape::uniform;
  double low = 0;  ///< uniform, whole: smallest value; constant: the value; sequence: the first value
  double high = 1; ///< uniform: floats lie below it, integers reach it; whole: reached; sequence: the step
  std::uint64_t period = 0; ///< element i is that of i % period; 0: none repeats
};

/// Contents that the runner makes itself, so that large inputs of benches need not travel.
struct Generator {
  ScalarType type = ScalarType::f32;
  Distribution distribution;
  std::uint64_t seed = 1;
};

/// One scalar argument: its bytes, zero-extended.
struct ScalarArgument {
  ScalarType type = ScalarType::i32;
  std::uint64_t bits = 0;
};

/// One buffer argument. Its image is `front` guard bytes, the payload, then `back` guard bytes; the
/// function receives the address of the payload. `front` modulo 256 is the payload's misalignment.
struct BufferArgument {
  Direction direction = Direction::in;
  std::string name; ///< the parameter's name in the contract
  std::size_t element_size = 1;
  std::size_t count = 0;
  std::size_t front = 0;
  std::size_t back = 0;
  std::size_t image_offset = 0; ///< where the image starts in the shared memory, unless generated
  bool generated = false;  ///< the payload is made by `generator` in the runner; only guards travel there
  Generator generator;     ///< an element may be a struct of several generated values
  bool returned = true;    ///< the contents are copied back; guards of generated buffers always are
  std::size_t samples = 0; ///< generated only: so many elements come back (sampled_index); 0: all of them
  /// Generated only: of a sparse buffer only elements sparse_first + k * sparse_step are made, `samples` of them, which come
  /// back; all others are 0, and take no memory. Not sparse if the step is 0.
  std::size_t sparse_first = 0, sparse_step = 0;

  bool is_sparse() const { return sparse_step != 0; }
  std::size_t payload_bytes() const { return element_size * count; }
  std::size_t image_bytes() const { return front + payload_bytes() + back; }
  /// Elements that come back.
  std::size_t returned_count() const {
    return !returned ? 0 : samples != 0 && samples < count ? samples : count;
  }
  /// Bytes in shared memory: the image, of a generated buffer with only what comes back between its guards.
  std::size_t travelling_bytes() const {
    return generated ? front + element_size * returned_count() + back : image_bytes();
  }
};

/// One argument in its place: exactly one of the two is meant.
struct Argument {
  bool is_buffer = false;
  ScalarArgument scalar;
  BufferArgument buffer;
};

struct Call {
  std::string token; ///< must come back in the reply
  std::string function;
  std::vector<Argument> arguments;
  bool returns_value = false;
  ScalarType return_type = ScalarType::i32;
  Schedule schedule = Schedule::forward;
  std::uint64_t schedule_seed = 1;
  int repetitions = 1;      ///< at least so many
  int most_repetitions = 1; ///< at most so many (not fewer than `repetitions`)
  double uncertainty = 0;   ///< stop once the median is known to this fraction
  int warm_ups = 0;         ///< before them, without being timed or counted
  bool cold = false;        ///< the L2 cache is flushed before each
  bool sites = false;       ///< the simulator also counts per source line
  bool trace = false;       ///< the simulator also says what kernels did with memory
  std::vector<simt::WatchedThread>
      watched; ///< simulator only, in a module that is compiled for it: they keep diaries
  std::size_t memory_bytes = 0;
  std::optional<LaunchRoom> launch_room; ///< simulator only: less than usual, unless the host asks for more
  bool last_block_only = false;          ///< simulator only: of each grid that the host launches
  UnseenAccess unseen = UnseenAccess::passes; ///< simulator only
  /// Simulator only: the first accesses of the function are checked for being out of bounds also where they go unseen.
  bool watches_bounds = false;
  LaunchesLeftOut left_out = {}; ///< simulator only
  unsigned patience = 1; ///< simulator only: so many times the usual steps before a kernel counts as endless
};

/// An element of a sparse buffer that is none of those which were made, and was written.
struct Stray {
  std::size_t argument = 0; ///< position of the buffer among all arguments
  std::size_t index = 0;
  std::uint64_t bits = 0; ///< the element's bytes, zero-extended
};
/// At most so many of a buffer are reported.
inline constexpr std::size_t most_strays = 16;

/// What the runner saw. Only `finished` calls carry results; everything else says why there are none.
struct RawReply {
  enum class Status { finished, missing_function, exception, cuda_error };
  std::string token;
  Status status = Status::finished;
  std::string error_name;   ///< cuda_error: "cudaErrorIllegalAddress"; exception: the type if known
  std::string error_text;   ///< the description that goes with it
  std::string error_origin; ///< "cudaGetLastError", "cudaDeviceSynchronize", "cudaMalloc"
  bool left_processes = false;
  std::uint64_t returned_bits = 0;
  std::vector<double> times_ms;
  std::vector<Stray> strays;
  std::string report; ///< JSON {"kernels": [...], "diagnostics": [...]} of the simulator, or empty
  std::string trace;  ///< JSON of a simt::Trace, if asked for, or empty
  std::string diaries; ///< JSON of simt::Diaries, if threads were watched, or empty
};

/// Conversions to and from message text; from-conversions throw std::runtime_error on anything that
/// is not such a message.
std::string to_message(const Call& call);
Call call_from_message(const std::string& text);
std::string to_message(const RawReply& reply);
RawReply reply_from_message(const std::string& text);

} // namespace warpbook
