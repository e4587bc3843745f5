#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "call/channel.hpp"
#include "call/memory.hpp"

namespace warpbook {

using Deadline = std::chrono::steady_clock::time_point;

/// How long a runner may take over an answer. How busy the machine is must not decide a verdict, so that what counts is
/// the runner's own processor time, and time that it spends asleep; time on the clock is a net below both.
struct Patience {
  std::chrono::milliseconds busy;  ///< of processor time in which the simulator makes no progress
  std::chrono::milliseconds total; ///< of processor time altogether
  std::chrono::milliseconds idle;  ///< asleep at a stretch, every thread of it
  std::chrono::milliseconds clock; ///< that passes, whatever the reason

  /// For one call that may take `limit` of processor time.
  static Patience for_call(std::chrono::milliseconds limit) {
    constexpr std::chrono::milliseconds whole_call{120000}; // well above what the simulator allows itself
    constexpr std::chrono::milliseconds net{400000};
    return {limit, std::max(2 * limit, whole_call), limit, std::max(10 * limit, net)};
  }
};

/// How a process ended.
struct Ended {
  bool by_signal = false;
  int code = 0; ///< exit code or signal number
};

/// What waiting for a message came to.
struct Received {
  enum class What {
    message,
    ended,
    garbage,
    busy,   ///< out of Patience::busy
    worked, ///< out of Patience::total
    idle,   ///< out of Patience::idle
    late    ///< out of Patience::clock: the machine's fault as far as one can tell
  };
  What what = What::message;
  std::string text; ///< the message, or what is wrong with the garbage
  Ended ended;
};

/// A runner in a session of its own, with its output captured. Nothing that it starts outlives it.
class RunnerProcess {
public:
  /// Whether a call was sent to it before: what that left behind is in it.
  bool is_used() const { return is_used_; }
  void mark_used() { is_used_ = true; }

  /// Exit code of a runner whose end of the channel was closed under it.
  static constexpr int channel_lost = 113;

  /// Starts `command`, appending `--channel-fd N`. Throws std::system_error.
  explicit RunnerProcess(std::vector<std::string> command);
  ~RunnerProcess();
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  /// Sends a message; a runner that is gone is noticed by the receive() that follows.
  void send(const std::string& text, int file = -1);
  /// Waits for the next message, or for the end of the process, as long as `patience` says.
  Received receive(const Patience& patience);
  /// Memory in which the runner counts the progress of its kernels (Patience::busy); to be sent to it.
  void watch_progress(SharedMemory counter) { progress_ = std::move(counter); }
  /// Whether one more message waits, though none was asked for.
  bool has_unread_message();
  /// Closes the channel, which tells the runner to end. Nothing if it had to be killed.
  std::optional<Ended> shut_down(Deadline deadline);
  /// Kills whatever the runner has started and not waited for; returns how many processes that were.
  /// The runner itself must have ended.
  std::size_t kill_survivors();

  /// What was printed since the last time, at most 64 KiB of it.
  std::string take_output();

private:
  class Clock;
  std::optional<Received> look(const Patience& patience, Clock& clock);
  std::optional<Ended> wait_for_end(Deadline deadline);
  void read_output();
  void kill_runner();
  void forget();

  pid_t process_ = -1;
  pid_t serving_ = -1; ///< that answers; with a command in front of the runner it may be another one
  bool is_used_ = false;
  SharedMemory progress_;
  FileDescriptor process_file_; ///< readable once the process has ended
  std::optional<Channel> channel_;
  FileDescriptor output_;
  std::string printed_;
  bool output_cut_ = false;
};

} // namespace warpbook
