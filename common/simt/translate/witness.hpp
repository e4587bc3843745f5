#pragma once

#include "simt/translate/command_line.hpp"

#include <string>
#include <vector>

namespace simt::compiler {

/// How a build ends that is beyond a limit of the process.
enum class Limit { memory, size, time, depth };
struct LimitReached {
  Limit limit;
};

/// Sees how the programs end that a compiler starts: of a signal that ended one, g++ tells in words alone, among which
/// a student's can be. It has them started by simtcc, which leaves a record here that they cannot write.
class Witness {
public:
  Witness();
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// The options for g++.
  static std::vector<std::string> options();

  /// Judges by signals, statuses and memory how a command ended with `status`, which is not 0. Throws LimitReached, or
  /// EnvironmentError where the command was killed from outside.
  void require_within(const Limits& limits, int status) const;

  /// Whether a program of this name was among those that failed.
  bool saw_failing(const std::string& program) const;

private:
  struct End {
    std::string program;
    int status; ///< as waitpid() gives it
  };
  std::vector<End> ends() const;

  int record_;
};

/// The largest part of its limit of memory that a child of this process took, of those that have ended.
double share_of_memory(const Limits& limits);
/// From this share on a program that fails does so for want of memory: what asks for more at once is ended.
inline constexpr double large_share = 2.0 / 3;

/// In the process that g++ starts in place of `program`: runs it. Returns the status, or ends by the same signal.
int run_before_witness(char** program);
/// Whether this process is one of those.
bool is_before_witness();

} // namespace simt::compiler
