#pragma once
/// Speed as a ratio to a yardstick: what this machine's memory, or its arithmetic, reaches in the same run, measured in turns
/// with the submission, so that clocks and temperature are the same for both. A time of one machine says
/// nothing on another; a ratio says how close the submission comes to what is possible there.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/context.hpp"
#include "grader/submission.hpp"
#include "timing/statistics.hpp"

namespace warpbook {

/// What to compare with; see common/yardsticks/yardsticks.hpp.
enum class Yardstick {
  copy,   ///< a kernel that copies with 16 bytes per thread: reads and writes
  memcpy, ///< cudaMemcpy on the device: the same work by the driver's own means
  read,   ///< a kernel that only reads
  fma     ///< fused multiply-adds of floats in registers. All bytes below are then floating-point operations
};

/// "copy", "memcpy", "read", "fma".
const char* name_of(Yardstick yardstick);

/// The times of a call. Throws std::runtime_error if it has none: the simulator's are not measured.
std::vector<double> seconds_of(const Reply& reply);

/// How the workbook times a call: L2 cold, two warm-ups, until the median is known to half a percent.
CallOptions timed_call(int least = 7, int most = 31);

/// The yardsticks in a runner of their own, of the same program and on the same device as the submission's.
class Yardsticks {
public:
  /// `options`: of the submission to compare with; its backend, runner and prefix are used.
  explicit Yardsticks(const SubmissionOptions& options);

  /// Starts their runner before there is something to measure.
  void start() { module_.start(); }

  /// Useful bandwidth in GB/s (10^9) of a yardstick that moves `bytes`, reads and writes together. Its output
  /// is checked before its time counts; a wrong one throws std::runtime_error, for it is the workbook's own
  /// fault.
  double measure(Yardstick yardstick, std::size_t bytes, const CallOptions& timed = timed_call());
  /// The times behind it, in seconds, one for each repetition. `bytes` is a multiple of 8, or of 8,192 for fma.
  std::vector<double> seconds(Yardstick yardstick, std::size_t bytes,
                              const CallOptions& timed = timed_call());
  /// The times of copying n single sectors, `distance` floats apart.
  std::vector<double> seconds_of_sectors(std::size_t n, std::size_t distance, const CallOptions& timed);
  /// The times of moving the tiles of a matrix of side x side floats, without turning them; side is a multiple of 64.
  std::vector<double> seconds_of_tiles(std::size_t side, const CallOptions& timed);
  /// The first, summarised.
  Summary time(Yardstick yardstick, std::size_t bytes, const CallOptions& timed = timed_call());

private:
  Submission module_;
};

/// While one of these exists, all speed items share one runner of yardsticks, started before or by the first of them: on a
/// GPU a runner's context takes longer than a measurement. A grading run has one; without it each item has a runner to itself.
class SharedYardsticks {
public:
  SharedYardsticks();
  ~SharedYardsticks();
  SharedYardsticks(const SharedYardsticks&) = delete;
  SharedYardsticks& operator=(const SharedYardsticks&) = delete;

  /// Those beside submissions with these options: the ones of the last time, unless it was another program or device.
  Yardsticks& beside(const SubmissionOptions& options);

private:
  SharedYardsticks* outer_;
  std::vector<std::string> command_; ///< that runs the yardsticks
  std::optional<Yardsticks> yardsticks_;
};

/// One attempt: yardstick, submission, yardstick, submission, yardstick. `useful_bytes` is what one call has
/// to read and write at the least. `call` makes the call with the options it is given, fails if the output is
/// wrong (the outputs are those of the last timed repetition), and returns the reply.
Speed measure_speed(Yardsticks& yardsticks, Yardstick yardstick, double useful_bytes,
                    const std::function<Reply(const CallOptions&)>& call);

/// What a speed item asks for.
struct SpeedTarget {
  Yardstick yardstick = Yardstick::copy;
  double useful_bytes = 0; ///< of one call; for fma its operations, by a convention that the lab states
  /// Least ratio to the yardstick: at least 5% below the worst of 20 runs of the readable solution, from a
  /// file in plots/data that measure-ratios wrote (docs/adding-a-lab.md).
  double least_ratio = 0;
  std::string read; ///< where to read on, e.g. "the handout, 'What a warp asks for'"
};

/// Calls `attempt` up to three times, until one reaches the target's ratio; fails the item with `too-slow` if
/// none does. `function` is whose speed it is, for the sentence. All attempts are added to the item's result.
void judge_speed(const SpeedTarget& target, const std::string& function,
                 const std::function<Speed()>& attempt);

/// judge_speed() of what measure_speed() says. Fails the item with `too-slow`, and a sentence with both
/// bandwidths, unless the submission reaches the target in the best of three attempts. The measurement is
/// reported either way. For items that are cuda_only() and worth points(0): technique is marked by counts, which
/// are the same on every machine and every day.
void expect_speed(const SpeedTarget& target, const std::function<Reply(const CallOptions&)>& call);

/// Elements of `element_size` bytes for a speed item or a bench: a power of two whose bytes are at least
/// eight times the L2 cache of the submission's device, which would hide what memory costs.
std::size_t elements_beyond_cache(const SubmissionOptions& options, std::size_t element_size);

} // namespace warpbook
