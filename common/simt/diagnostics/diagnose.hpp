// Turns what the simulator found into diagnostics. Findings of one kind at one pair of call sites are
// counted, not repeated. Functions that take no block speak about the running lane.
#pragma once

#include "simt/report/catalogue.hpp"
#include "simt/runtime/machine/machine.hpp"

#include <optional>
#include <string>

namespace simt {

struct Stamp;

/// Records a diagnostic, or counts it if one with the same id, kernel and sites (return addresses) is there.
void record(Finding diagnostic, std::uintptr_t site, std::uintptr_t other_site = 0);
/// True (and counted) if `record` would only count: saves looking for the place.
bool already_recorded(const char* id, std::uintptr_t site, std::uintptr_t other_site = 0);
/// How often either was called, since the process began: whether something was found in between.
std::uint64_t times_found();
/// In the order in which they were found, but causes before their consequences.
std::vector<Finding> take_diagnostics();

/// Whether findings about a kernel lack its launch; and gives them this one.
bool lack_launch();
void tell_launch(const HostLaunch& launch);

/// Findings of which all is said by their kind and their place: about the running thread, or host code, ...
void report(FindingKind kind, std::uintptr_t site);
void report(FindingKind kind, const char* file, int line);
/// ... and its access to memory.
void report_access(FindingKind kind, std::uintptr_t address, unsigned size, Access access,
                   std::uintptr_t site);

/// A call by host code that was to write to device memory: what is read there may not have been written because it failed,
/// or came too late.
void note_failed_write(const char* function, const char* error, std::uintptr_t site);
void note_write(const char* function, std::uintptr_t address, std::size_t bytes, std::uintptr_t site);

/// A thread reads memory that was never written.
void report_uninitialised_read(std::uintptr_t address, unsigned size, std::uintptr_t site);

/// What a racing write found in memory and what it left there; size 0: not known.
struct WrittenValues {
  unsigned size = 0;
  std::uint64_t old = 0;
  std::uint64_t now = 0;
};

void report_shared_race(const Stamp& earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                        Access access, std::uintptr_t site, const WrittenValues& values);
void report_global_race(Mark earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                        Access access, std::uintptr_t site, const WrittenValues& values);
void report_out_of_bounds(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site);
void report_host_pointer(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site);

void report_not_called(const char* function, const char* file, int line);
void report_barrier_divergence(const Block& block, const Lane& first, const Lane& second);
/// `waits` is at a barrier within `branch`, which `skipped` has not entered.
void report_skipped_barrier(const Block& block, const Lane& waits, const Lane& skipped, const Branch& branch);
/// `waits` is at a barrier within the loop for the `more`-th time; `left` has left the loop after it was there `fewer` times, and
/// has ended or waits at another barrier.
void report_uneven_loop(const Block& block, const Lane& waits, unsigned more, const Lane& left,
                        unsigned fewer, const Branch& loop);
void report_deadlock(const Block& block);
/// The running lane gives a warp operation a mask that does not name it.
void report_foreign_mask(unsigned mask, const char* file, int line);
void report_absent_shuffle_source(const Block& block, const Lane& lane, unsigned source);

/// The party of a lane that cannot go on.
Participant waiting(const Block& block, const Lane& lane);

// About clusters and cooperative grids. `file` and `line` are those of a call of the running lane.
const char* name_of_group_wait(const Lane& lane);
/// No block of the grid can go on, and none polls memory.
void report_group_deadlock(const Grid& grid, const std::vector<Block*>& resident);
/// `owner` ends with `lane`, or has ended, and nothing orders the use of its shared memory before that.
void report_cluster_left(const Block& owner, const Lane& lane, const Block& user,
                         const struct RemoteUse& use);
void report_cluster_rank(unsigned rank, const char* file, int line);
void report_cluster_address(const void* address, const char* function, const char* file, int line);
void report_arrive_twice(int scope, const char* file, int line);
void report_arrive_without_wait(const Block& block, const Lane& lane, int scope);
void report_wait_without_arrive(int scope, const char* file, int line);

/// Site 0: the loop synchronises or uses memory, and the place is not known.
void report_step_budget(std::uintptr_t site);
void report_too_much_work(std::uintptr_t site);
void report_stack_overflow(std::uintptr_t site);
/// A signal; `address` is that which was used, if it comes from one.
void report_crash(FindingKind kind, std::uintptr_t address, std::uintptr_t site);
/// __trap(); `refused` is the thread's latest launch that failed, if one has.
void report_trap(std::optional<Refused> refused, std::uintptr_t site);
void report_assertion(const char* expression, const char* file, unsigned line);
void report_shared_limit(const Grid& grid, const SharedVariable& variable);

/// A launch was refused; whoever calls cudaGetLastError from a submission (`site`) has asked for
/// it.
void note_refused_launch(const simt_launch_site& site, Refused refused);
void note_error_query(std::uintptr_t site);
/// At the end of a call: reports the refused launch whose error was not asked for, if there is one.
void report_unchecked_launch();

/// cudaFree of what is not the start of a live block.
void report_invalid_free(void* pointer, std::uintptr_t site);
void report_out_of_memory(std::size_t bytes, std::uintptr_t site);
void report_grid_too_large(const simt_launch_site& site, std::uint64_t threads);

/// Host code called something that only a kernel can use.
void report_device_code_on_host(const std::string& what);

/// A launch that the device would refuse.
void report_invalid_launch(const simt_launch_site& site, Refused refused);

// Launches by device code.

/// For a party of a race with a thread of `other`: where its own grid stands.
void tell_grid(Participant& participant, std::uint32_t grid, std::uint32_t other);

/// A launch failed, and the thread has ended without asking for the error.
void report_unchecked_launch(const simt_launch_site& site, Refused refused);
/// A child is passed a pointer to memory that is its parent's own.
void report_private_pointer(const simt_launch_site& site, std::uintptr_t address);
/// Child grids launch further ones without an end.
void report_endless_launches(const simt_launch_site& site, std::uint64_t grids);

} // namespace simt
