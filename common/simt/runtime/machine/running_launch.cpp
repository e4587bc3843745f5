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

/// What a signal handler reads. The thread that is in the runtime writes the other of the two before it makes it the latest.
struct KnownLaunch {
  RunningLaunch launch;
  std::string kernel; ///< its name: the grid's record is given away before the launch has ended
  Clock::time_point begun;
  LaunchesFromHere* from_here = nullptr;
};
KnownLaunch known_launches[2];
std::atomic<KnownLaunch*> latest = nullptr;
std::atomic<bool> launch_is_running = false;
std::map<std::pair<const char*, int>, LaunchesFromHere> launch_places; ///< by file and line
double seconds_in_kernels = 0;
void (*stop_action)() = nullptr;

} // namespace

void begin_launch(const Grid& grid, const simt_launch_site& site) {
  KnownLaunch& known = known_launches[latest == &known_launches[0] ? 1 : 0];
  known.from_here = &launch_places[{site.file, static_cast<int>(site.line)}];
  known.kernel = grid.record.name;
  known.launch = {.kernel = known.kernel.c_str(),
                  .file = site.file ? site.file : "",
                  .line = static_cast<int>(site.line),
                  .number = ++known.from_here->launches,
                  .blocks = volume(grid.extent),
                  .earlier_seconds = known.from_here->seconds};
  machine.blocks_done = 0;
  known.begun = Clock::now();
  latest.store(&known, std::memory_order_release);
  launch_is_running.store(true, std::memory_order_release);
}

void end_launch() {
  launch_is_running.store(false, std::memory_order_release);
  KnownLaunch& known = *latest;
  known.launch.seconds = seconds_since(known.begun);
  known.from_here->seconds += known.launch.seconds;
  seconds_in_kernels += known.launch.seconds;
  if (is_stopping() && stop_action) stop_action();
}

std::optional<RunningLaunch> running_launch() {
  if (!launch_is_running.load(std::memory_order_acquire)) return std::nullopt;
  const KnownLaunch& known = *latest.load(std::memory_order_acquire);
  RunningLaunch now = known.launch;
  now.blocks_done = machine.blocks_done;
  now.seconds = seconds_since(known.begun);
  return now;
}

std::optional<RunningLaunch> ended_launch() {
  const KnownLaunch* known = latest.load(std::memory_order_acquire);
  if (!known || launch_is_running.load(std::memory_order_acquire)) return std::nullopt;
  return known->launch;
}

double time_in_kernels() { return seconds_in_kernels; }

bool stop_running_kernel(void (*then)()) {
  stop_action = then;
  machine.is_stopping.store(true, std::memory_order_relaxed);
  return launch_is_running.load(std::memory_order_acquire);
}

} // namespace simt
