// From the addresses of one warp-level request to counters.
#pragma once

#include "simt/runtime/machine.hpp"
#include "simt/runtime/warp_log.hpp"

namespace simt {

/// Distinct 32-byte chunks that the lanes in `mask` touch with `size` bytes each.
unsigned count_sectors(const std::uintptr_t* address, std::uint32_t mask, unsigned size);

/// Sectors of a global atomic: lanes on the same address are served one after the other, each with its own.
unsigned count_atomic_sectors(const std::uintptr_t* address, std::uint32_t mask, unsigned size);

struct Wavefronts {
  unsigned actual = 0;
  unsigned ideal = 0;
};

/// Passes through the 32 banks of 4 bytes that the lanes need: wide accesses go in groups of lanes, and
/// within a group every bank serves one word per pass to any number of lanes.
Wavefronts count_wavefronts(const std::uintptr_t* address, std::uint32_t mask, unsigned size);

/// Adds a request to the running grid's totals and to its call site's.
void count_request(const LogEntry& entry);

/// Takes the counters by call site (return addresses) gathered since the last call, in order of first use.
std::vector<std::pair<std::uintptr_t, Counters>> take_sites();

} // namespace simt
