// What findings are put together from.
#pragma once

#include "simt/report/catalogue.hpp"
#include "simt/runtime/machine/machine.hpp"

#include <cstdint>
#include <vector>

namespace simt {

/// A finding about the kernel of the running grid; in host code, about none.
Finding diagnostic_of(FindingKind kind);
/// The same, which is about `place`.
Finding diagnostic_at(FindingKind kind, Place place);

/// The running thread, or host code, at a call given by its return address.
Participant running_thread(std::uintptr_t site);
/// The same, which accesses memory.
Participant accessing_thread(Access access, unsigned size, std::uintptr_t site);
/// Two that race. The earlier one has left no more than its call site, which need not access as many bytes as the later.
std::vector<Participant> racing_threads(Access earlier_access, std::uintptr_t earlier_site, Access access,
                                        unsigned size, std::uintptr_t site);
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

// Records a finding about one such party.
void record_at(Finding diagnostic, std::uintptr_t site);
void record_access(Finding diagnostic, unsigned size, Access access, std::uintptr_t site);
void record_at(Finding diagnostic, const char* file, int line);

/// A stand-in for a return address where a source line says more.
std::uintptr_t site_of(const char* file, int line);

} // namespace simt
