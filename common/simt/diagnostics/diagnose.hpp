// Turns what the simulator found into diagnostics. Findings of one kind at one pair of call sites are
// counted, not repeated. Functions that take no block speak about the running lane.
#pragma once

#include "simt/report/catalogue.hpp"
#include "simt/runtime/machine/machine.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace simt {

struct Allocation;

struct Stamp;

/// Records a diagnostic, or counts it if one with the same id, kernel and sites (return addresses) is there.
void record(Finding diagnostic, std::uintptr_t site, std::uintptr_t other_site = 0);
/// True (and counted) if `record` would only count: saves looking for the place.
bool already_recorded(std::string_view id, std::uintptr_t site, std::uintptr_t other_site = 0);
/// How often either was called, since the process began: whether something was found in between.
std::uint64_t times_found();
/// By call site, how often more than was recorded global memory was read that had never been written. What `record` has counted is
/// not among it, nor is this in times_found().
using TimesUnwritten = std::map<std::uintptr_t, std::uint64_t>;
const TimesUnwritten& times_read_unwritten();
/// Of the call site; null if it has no such finding.
std::uint64_t* times_read_unwritten(std::uintptr_t site);
/// In the order in which they were found, but causes before their consequences.
std::vector<Finding> take_diagnostics();

/// Whether findings about a kernel lack its launch; and gives them this one.
bool lack_launch();
void tell_launch(const HostLaunch& launch);

/// The running thread, or host code, at a call given by its return address.
Participant running_thread(std::uintptr_t site);
/// The same, which accesses memory.
Participant accessing_thread(Access access, unsigned size, std::uintptr_t site);
/// Two that race. The earlier one has left no more than its call site, which need not access as many bytes as the later.
std::vector<Participant> racing_threads(Access earlier_access, std::uintptr_t earlier_site, Access access,
                                        unsigned size, std::uintptr_t site);
/// Host code at such a call, whatever runs now.
Participant host_at(std::uintptr_t site);
/// The running thread, or host code, at a source line.
Participant at_line(const char* file, int line);
/// A lane of a block at a source line.
Participant lane_at_line(const Block& block, const Lane& lane, const char* file, int line);

/// Whether a lane has left, by a `return`, the very function in which another one waits behind it.
bool left_before(const Lane& lane, const Lane& waits);
/// A lane at the `return` by which it left a function.
Participant left_lane(const Block& block, const Lane& lane);

/// A lane that has ended, at its `return`; without a line where it came to the kernel's end.
Participant ended_lane(const Block& block, const Lane& lane);
/// The first lane of a block that has ended by a `return`; null if there is none.
const Lane* returned_lane(const Block& block);

/// A finding that says nothing yet, about the kernel of the running grid; in host code, about none.
Finding of_running_kernel();
/// The same of this kind, with its facts.
template <typename... Given>
Finding diagnostic_of(std::type_identity_t<FindingKind<Given...>> kind, Given... given) {
  Finding diagnostic = of_running_kernel();
  become<Given...>(diagnostic, kind, std::move(given)...);
  return diagnostic;
}
/// The same, which is about `place`.
template <typename... Given>
Finding diagnostic_at(Place place, std::type_identity_t<FindingKind<Given...>> kind, Given... given) {
  Finding diagnostic = diagnostic_of<Given...>(kind, std::move(given)...);
  static_cast<Place&>(diagnostic) = std::move(place);
  return diagnostic;
}

// Records a finding about one party: the running thread, or host code.
void record_at(Finding diagnostic, std::uintptr_t site);
void record_access(Finding diagnostic, unsigned size, Access access, std::uintptr_t site);
void record_at(Finding diagnostic, const char* file, int line);
/// A stand-in for a return address where a source line says more.
std::uintptr_t site_of(const char* file, int line);

/// The same of findings of which all is said by their kind and their facts.
template <typename... Given>
void report(std::type_identity_t<FindingKind<Given...>> kind, std::uintptr_t site, Given... given) {
  if (!already_recorded(kind.wording->id, site))
    record_at(diagnostic_of<Given...>(kind, std::move(given)...), site);
}
template <typename... Given>
void report(std::type_identity_t<FindingKind<Given...>> kind, const char* file, int line, Given... given) {
  if (!already_recorded(kind.wording->id, site_of(file, line)))
    record_at(diagnostic_of<Given...>(kind, std::move(given)...), file, line);
}
/// ... and by the thread's access to memory.
void report_access(FindingKind<> kind, std::uintptr_t address, unsigned size, Access access,
                   std::uintptr_t site);

/// Makes a finding about a call of the API by host code that fails, and that no code has asked about, of the function and the error.
using UnheardFinding = std::function<Finding(fact::Subject, fact::Error)>;
/// Why the call fails that is being made, where more is known than its error; without a finding, that all of it is said.
void note_reason(UnheardFinding finding);
void note_reason(FindingKind<fact::Subject, fact::Error> kind);
/// The same, which follows from an earlier call of host code.
void note_reason(FindingKind<fact::Subject, fact::Error> kind, std::uintptr_t earlier_site);

/// cudaMemset gives the bytes of an array of larger elements a small number.
void report_set_elements(const Allocation& array, unsigned byte, std::uintptr_t site);

/// A copy of as many bytes as the array of the device at `from` has elements, which is `whole` bytes long; or of as many as are to be
/// copied, where nothing has been written on the device from `from` on.
struct ShortCopy {
  const char* function = nullptr;
  std::uintptr_t site = 0;
  std::uintptr_t from = 0;
  std::size_t bytes = 0;
  std::size_t whole = 0;
};
/// Host code uses what such a copy has not filled.
void report_left_out(const ShortCopy& copy, unsigned size, Access access, std::uintptr_t site);

/// A copy into a variable of the device that is `whole` bytes long. It was given too few bytes, or an offset in elements.
struct SymbolCopy {
  const char* function = nullptr;
  Participant caller = {};
  std::size_t bytes = 0, whole = 0, offset = 0;
};
/// A kernel reads what such a copy has not set.
void report_unset_part(const SymbolCopy& copy, std::uintptr_t address, unsigned size, std::uintptr_t site);

/// A call that has succeeded, and what it gives is mostly no pointer to anything: for the finding about a thread that uses it.
void note_useless_pointer(FindingKind<fact::Subject> kind, const char* function, std::uintptr_t site);
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

/// Several threads have written the same value to one place, which is no race.
void note_equal_writes();

void report_shared_race(const Stamp& earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                        Access access, std::uintptr_t site, const WrittenValues& values);
void report_global_race(Mark earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                        Access access, std::uintptr_t site, const WrittenValues& values);
void report_out_of_bounds(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site);
void report_misaligned(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site);
/// The lane's access is to a member of an object that is not aligned as its type says, to `aligned` bytes: nvcc makes one access of
/// `joined` bytes of it and others.
void report_joined(const Lane& lane, std::uintptr_t address, unsigned size, Access access,
                   std::uintptr_t site, std::size_t joined, std::size_t aligned);
void report_host_pointer(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site);

void report_barrier_divergence(const Block& block, const Lane& first, const Lane& second);
/// `waits` is at a barrier within `branch`, which `skipped` has not entered.
void report_skipped_barrier(const Block& block, const Lane& waits, const Lane& skipped, const Branch& branch);
/// `waits` is at a barrier within the loop for the `more`-th time; `left` has left the loop after it was there `fewer` times, and
/// has ended or waits at another barrier.
void report_uneven_loop(const Block& block, const Lane& waits, unsigned more, const Lane& left,
                        unsigned fewer, const Branch& loop);
void report_deadlock(const Block& block);
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
fact::Group group_of(int scope);
void report_arrive_twice(int scope, const char* file, int line);
void report_arrive_without_wait(const Block& block, const Lane& lane, int scope);

/// Site 0: the loop synchronises or uses memory, and the place is not known.
void report_step_budget(std::uintptr_t site);
void report_too_much_work(std::uintptr_t site);
/// A signal; `address` is that which was used, if it comes from one.
void report_crash(FindingKind<> kind, std::uintptr_t address, std::uintptr_t site);

/// A launch was refused; whoever calls cudaGetLastError from a submission (`site`) has asked for
/// it.
void note_refused_launch(const simt_launch_site& site, Refused refused);
void note_error_query(std::uintptr_t site);
/// At the end of a call: reports what has failed, a call of the API or a launch, and no code has asked about.
void report_unasked();

/// At the end of the program: reports what kernels have printed that it has not waited for.
void report_lost_output();

/// cudaFree of what is not the start of a live block; or free or delete of it by host code.
void report_invalid_free(void* pointer, std::uintptr_t site, bool by_library = false);
/// Why cudaFreeHost cannot free that, which is no page-locked block.
void note_not_page_locked(const void* pointer);
void report_out_of_memory(std::size_t bytes, std::uintptr_t site);
void report_grid_too_large(const simt_launch_site& site, std::uint64_t threads);

/// A launch that the device would refuse; `destroyed_at` is where its stream was destroyed, or 0.
void report_invalid_launch(const simt_launch_site& site, Refused refused, std::uintptr_t destroyed_at);

// Launches by device code.

/// For a party of a race with a thread of `other`: where its own grid stands.
void tell_grid(Participant& participant, std::uint32_t grid, std::uint32_t other);

/// The running lane has read a value over and over, which has changed now: reports it if a child of its grid has written it.
void report_wait_for_child(std::uintptr_t address, std::uintptr_t site);

/// A child is passed a pointer to memory that is its parent's own.
void report_private_pointer(const simt_launch_site& site, std::uintptr_t address);

} // namespace simt
