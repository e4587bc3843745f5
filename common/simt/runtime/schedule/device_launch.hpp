// Launches by device code: streams of a grid, limits, and when children run.
//
// A grid that device code launches runs while the threads of all others stand still. It may start at any stop
// of a warp after its launch (a barrier, a warp operation, the end of its threads), or when its parent's
// blocks have finished: forward schedules start children at the parent's first stop, reverse schedules when
// the parent has finished, random ones in between. A child in which no thread can do anything but poll memory
// gives way to the others: it stands still itself, and goes on at a later stop of theirs when it would get
// another answer, or when they can do nothing else. Where all grids do nothing but poll, that is a deadlock.
//
// Of the launches in one stream each waits until the one before is complete; tail launches wait for the parent
// and all of its other children.
//
// A launch is pending until it has started; against the limit also count those that the launching grid itself
// has made, even where they have started. A real device may free their places earlier, but no program can
// count on that: of a grid with 4096 blocks of 1024 threads that launch one child each, an H200 takes exactly
// 2048.
#pragma once

#include "simt/report/catalogue.hpp"
#include "simt/runtime/machine/machine.hpp"

#include <optional>
#include <vector>

namespace simt {

struct KernelTraits;

/// Why a launch does not happen: the error that it ends with, and the rule that it breaks.
struct Refusal {
  Refusal() = default;
  Refusal(cudaError_t code, RefusalRule rule, std::uint64_t asked = 0, std::uint64_t allowed = 0)
      : error(code), broken{rule.name, {}, asked, allowed} {}

  /// For a finding.
  Refused fact() const;

  cudaError_t error = cudaSuccess;
  Refused broken; ///< without its error
};

/// Fills in a grid that is about to run.
void set_up_grid(Grid& grid, const simt_launch_site& site, const simt_launch_config& config,
                 const KernelTraits* known, const simt_closure_operations* operations, void* closure);

/// Around a launch by the host. The end appends the records of all grids that device code has launched.
void begin_device_launches(Grid& grid);
void end_device_launches(std::vector<KernelRecord>& records);

/// Whether it has launched child grids that are not complete.
bool has_open_launches(const Grid& grid);

/// The blocks of a grid have finished.
void finish_blocks(Grid& grid);

/// A warp of the running grid has stopped: launches may start.
void run_children_at_stop();

/// The blocks of the host's grid have finished: runs all launches that are left.
void run_remaining_launches();

/// The running grid can do nothing but poll: gives each child that has given way a turn. True if one has advanced.
bool resume_all_children();

/// Launches that may be pending at once; 2048 unless the host has changed it.
void set_pending_launch_limit(std::size_t limit);
std::size_t pending_launch_limit();

// The following are called by the running lane.

/// Queues a launch. `refusal` is what the checks of any launch have said. Errors stay with the thread.
cudaError_t launch_from_device(const simt_launch_site& site, const simt_launch_config& config,
                               const KernelTraits* known, Refusal refusal,
                               const simt_closure_operations* operations, void* closure);

cudaError_t create_device_stream(cudaStream_t* stream, unsigned flags);
cudaError_t destroy_device_stream(cudaStream_t stream);
cudaError_t device_last_error(bool clear);
/// Makes an error of another call of the API the running thread's last one, and returns it.
cudaError_t device_error(cudaError_t error);

/// The thread ends: an error of a launch that it has never asked for is a mistake.
void check_unchecked_launches();
/// Why the running thread's latest launch that failed did, whether it has asked or not; nothing if none has.
std::optional<Refused> latest_refusal();

} // namespace simt
