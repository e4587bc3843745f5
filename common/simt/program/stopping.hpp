#pragma once

#include "simt/runtime/machine/simt.hpp"

#include <optional>
#include <string>

namespace simt::program {

/// Where a program was when it was stopped, and how long it had run.
struct Stopped {
  std::string why;                     ///< a clause: "interrupted", "the limit of 20 s is over"
  double seconds = 0;                  ///< of the clock, since the program began
  double kernel_seconds = 0;           ///< of these in launches that are over
  std::optional<RunningLaunch> launch; ///< none: it was in code of the host
  std::optional<RunningLaunch> ended;  ///< the latest one then
};

/// Which launch was running, how far it has come, and which size would end within seconds.
std::string sentence(const Stopped& stopped);

/// One line for a terminal, without a line break.
std::string status_line(const RunningLaunch& launch);

/// From now on `end` is called when the program is interrupted or terminated (SIGINT, SIGTERM), has used up its time of the
/// processor (SIGXCPU), or, if `limit` is positive, has run for so many seconds and computes; with the signal, which is 0
/// for the limit, and with what is to be said. Likewise when it has used up the memory of the computer. `end` must not return. A kernel that runs is ended first, as far as
/// that takes no longer than a second. If `shows_status`, standard error is a terminal and shows launches that take long.
void watch_for_the_end(double limit, bool shows_status, void (*end)(int signal, const std::string& text));

/// Takes the status off the terminal.
void clear_status();

} // namespace simt::program
