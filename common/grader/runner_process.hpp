#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "call/channel.hpp"

namespace warpbook {

using Deadline = std::chrono::steady_clock::time_point;

/// How a process ended.
struct Ended {
  bool by_signal = false;
  int code = 0; ///< exit code or signal number
};

/// What waiting for a message came to.
struct Received {
  enum class What { message, ended, timed_out, garbage };
  What what = What::message;
  std::string text; ///< the message, or what is wrong with the garbage
  Ended ended;
};

/// A runner in a session of its own, with its output captured. Nothing that it starts outlives it.
class RunnerProcess {
public:
  /// Exit code of a runner whose end of the channel was closed under it.
  static constexpr int channel_lost = 113;

  /// Starts `command`, appending `--channel-fd N`. Throws std::system_error.
  explicit RunnerProcess(std::vector<std::string> command);
  ~RunnerProcess();
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  /// Sends a message; a runner that is gone is noticed by the receive() that follows.
  void send(const std::string& text, int file = -1);
  /// Waits for the next message, or for the end of the process.
  Received receive(Deadline deadline);
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
  std::optional<Ended> wait_for_end(Deadline deadline);
  void read_output();
  void kill_runner();
  void forget();

  pid_t process_ = -1;
  FileDescriptor process_file_; ///< readable once the process has ended
  std::optional<Channel> channel_;
  FileDescriptor output_;
  std::string printed_;
  bool output_cut_ = false;
};

} // namespace warpbook
