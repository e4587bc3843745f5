// How a runner or a test controls the simulator. Everything else goes through the CUDA runtime API.
#pragma once

#include "simt/report/launches_left_out.hpp"
#include "simt/report/report.hpp"
#include "simt/report/schedule.hpp"
#include "simt/report/unseen.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace simt {

struct Trace;

struct Options {
  UnseenAccess unseen = UnseenAccess::passes;
  /// While it counts down to 0, accesses of kernels to global memory that are out of bounds are found although the simulator
  /// does not see them. Only where such accesses pass.
  std::size_t* watched_accesses = nullptr;
  LaunchesLeftOut left_out = {};
  Schedule schedule = Schedule::forward;
  std::uint64_t seed = 1;
  /// Warp-level requests and lane switches that one kernel may use before it counts as an endless loop.
  std::uint64_t step_budget = 5'000'000;
  /// Whether a kernel has the step budget again whenever one of its blocks has ended, so that a large grid is no endless loop.
  bool budget_per_block = false;
  /// Threads of the largest grid that runs. Unset: the step budget, because each thread needs a step.
  std::optional<std::uint64_t> most_threads = {};
  /// What all kernels may do together until `configure` is called again, in operations: accesses of lanes to memory, their
  /// turns, and fixed numbers for what else takes time. The CPU time is roughly proportional, 20 to 30 s for these.
  std::uint64_t work_budget = 600'000'000;
  /// Device memory that can be allocated, in bytes. Much less than a real device has, so that a run stays below 1 GiB.
  std::size_t device_memory = std::size_t{768} << 20;
  /// Whether kernel records list counters per source location.
  bool sites = true;
  /// Whether what kernels do with memory is kept, for take_trace(), as far as there is room.
  bool trace = false;
  /// Whether launches of one kernel with one shape share a record, as a program's many launches had better do.
  bool merge_launches = false;
  /// How many launches may be pending as far as grids of depth `launch_room_from` and deeper ones make them, as
  /// long as the host has never asked for a number (cudaDeviceSetLimit). Unset: the usual number at any depth.
  std::optional<std::size_t> launch_room = {};
  unsigned launch_room_from = 0;
  /// Of each grid that the host launches only the last block runs, or the last cluster: so a kernel's way with places that
  /// need more than 32 bits can be seen, where the whole grid would take hours.
  bool last_block_only = false;
  /// Whether each launch by the host runs, also one that would do again what the same launch has done (docs/simulator.md).
  bool every_launch = true;
};

/// Sets the options of the launches that follow, which have the whole work budget again.
void configure(const Options& options);

/// Says that of the cudaMalloc block at `base` only [offset, offset + bytes) belongs to the buffer `name`:
/// kernels' accesses to the rest are out of bounds. If not `initialised`, kernels' reads before writes are
/// diagnosed, whatever the host has copied there. `element_size` (bytes) turns offsets into indices in
/// messages. Throws std::invalid_argument if the range is not inside one live block.
void describe_allocation(void* base, std::size_t offset, std::size_t bytes, bool initialised,
                         std::string name, std::size_t element_size);

/// Global memory of so many bytes, all of them 0 and initialised, of which only what is written takes memory: more than the
/// device has. Null if there is no room for it. cudaFree() frees it.
void* allocate_sparse(std::size_t bytes);
/// The bytes in [begin, begin + bytes), which lies in such memory, that were written, as offsets and lengths.
std::vector<std::pair<std::size_t, std::size_t>> written_ranges(const void* begin, std::size_t bytes);

/// The program ends: what its kernels have printed and it has not waited for would be lost.
void end_program();

/// Everything recorded since the last call, without what has crossed.
Report take_report();

/// What has crossed between host and device since the last call, be it in functions of the program or outside of them.
std::vector<Transfer> take_transfers();

/// From now on what host code of the program allocates lies apart, and kernels whose accesses must not go unseen cannot reach it
/// (Options::unseen). What whoever calls it has allocated does not, while copy_for_caller() says so.
void keep_host_heap_apart();

/// Says whether what this thread copies from now on is of whoever calls the program's functions, and is not counted;
/// returns what was said before. As long as nothing was said, all is the program's. While the caller says that it is the
/// program's, the memory of the device is closed to host code (fence_memory).
bool copy_for_caller(bool own);

/// What kernels have done with memory since the last call, if Options::trace is set (simt/trace/trace.hpp).
Trace take_trace();

/// From now on the simulator adds to `counter` while kernels make progress, many times in 50 ms of CPU time: who watches
/// the process can tell a simulator at work from host code that does not come back. A null pointer ends that.
void share_progress(std::atomic<std::uint64_t>* counter);

/// A launch by the host.
struct RunningLaunch {
  const char* kernel = "";
  const char* file = ""; ///< where it is launched
  int line = 0;
  std::uint64_t number = 1; ///< among the launches from there
  std::uint64_t blocks = 0, blocks_done = 0;
  double seconds = 0;         ///< since it began, or that it took
  double earlier_seconds = 0; ///< of the launches from there before this one
};

/// The one that runs. A signal handler may ask.
std::optional<RunningLaunch> running_launch();
/// The latest one, if none runs. A signal handler may ask.
std::optional<RunningLaunch> ended_launch();
/// Launches that did not run, because they would have repeated an earlier one (Options::every_launch), since the process began.
std::uint64_t spared_launches();
/// The seconds that launches have taken which are over.
double time_in_kernels();

/// Ends the running kernel at its next step, without a finding, and calls `then` when its counters are kept; `then` must not
/// return. Returns whether a kernel runs. A signal handler may call it.
bool stop_running_kernel(void (*then)());

struct HostCrash {
  int signal = 0;
  const char* cause = "";         ///< a clause: "it used an address that is not mapped"
  std::uintptr_t instruction = 0; ///< the address of the one that crashed
};

/// Has `action` called, on the signal's stack, when host code crashes and before the process dies of it. It has to
/// say so; without one the cause is printed to standard error.
void on_host_crash(void (*action)(const HostCrash& crash));

} // namespace simt
