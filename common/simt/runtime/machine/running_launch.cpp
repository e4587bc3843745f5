#include "simt/runtime/machine/running_launch.hpp"

#include "simt/runtime/machine/simt.hpp"

#include <chrono>
#include <map>
#include <string>

namespace simt {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct LaunchesFromHere {
  std::uint64_t launches = 0;
  double seconds = 0;
};

/// What a signal handler reads: it is written by the thread that is in the runtime, before `is_running` says so.
RunningLaunch latest_launch;
std::string latest_kernel; ///< its name: the grid's record is given away before the launch has ended
std::atomic<bool> launch_is_running = false;
Clock::time_point launch_begun;
std::map<std::pair<const char*, int>, LaunchesFromHere> launch_places; ///< by file and line
LaunchesFromHere* place_of_launch = nullptr;
double seconds_in_kernels = 0;
void (*stop_action)() = nullptr;

} // namespace

void begin_launch(const Grid& grid, const simt_launch_site& site) {
  LaunchesFromHere& known = launch_places[{site.file, static_cast<int>(site.line)}];
  place_of_launch = &known;
  latest_kernel = grid.record.name;
  latest_launch = {.kernel = latest_kernel.c_str(),
                   .file = site.file ? site.file : "",
                   .line = static_cast<int>(site.line),
                   .number = ++known.launches,
                   .blocks = volume(grid.extent),
                   .earlier_seconds = known.seconds};
  machine.blocks_done = 0;
  launch_begun = Clock::now();
  launch_is_running.store(true, std::memory_order_release);
}

void end_launch() {
  launch_is_running.store(false, std::memory_order_release);
  const double seconds = seconds_since(launch_begun);
  place_of_launch->seconds += seconds;
  seconds_in_kernels += seconds;
  if (is_stopping() && stop_action) stop_action();
}

std::optional<RunningLaunch> running_launch() {
  if (!launch_is_running.load(std::memory_order_acquire)) return std::nullopt;
  RunningLaunch now = latest_launch;
  now.blocks_done = machine.blocks_done;
  now.seconds = seconds_since(launch_begun);
  return now;
}

double time_in_kernels() { return seconds_in_kernels; }

bool stop_running_kernel(void (*then)()) {
  stop_action = then;
  machine.is_stopping.store(true, std::memory_order_relaxed);
  return launch_is_running.load(std::memory_order_acquire);
}

} // namespace simt
