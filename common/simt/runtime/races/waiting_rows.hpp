// Requests to rows of global memory, whose race checks wait.
//
// Most requests are to a row: lane i accesses its element i, and element 0 is aligned to the size of the row. Lane 0, which runs
// first, looks at all of the row when it comes there. If nothing can conflict that others have left in it, the lanes' accesses
// leave nothing but their addresses in the warp's log, and one mark for the row when the round has ended. If another access to
// the page of a row comes first, all rows leave their marks before it is checked, and the page has a mark for each grain from
// then on.
#pragma once

#include "simt/runtime/memory/warp_log.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/races/waiting_rows_end.hpp"

#include <cstdint>
#include <span>

namespace simt {

/// Before the lanes of a warp run, in this order: may they wait?
void begin_rows(const Warp& warp, std::span<const std::uint8_t> lanes);

/// Lets the request that the log has just taken wait, if it is to a row as far as can be seen, and says whether it does.
bool begin_row(std::uintptr_t address, unsigned size, Access access);

/// Adds the running lane's access if the log expects it, and if it waits with the row of its request, or with reads of shared
/// memory in even steps. Calls that access ranges, or
/// what may be aligned to half of its size, have lanes with accesses of different sizes in one request.
template <unsigned Size, Access Kind>
[[gnu::always_inline]] inline bool log_row_access(std::uintptr_t address, std::uintptr_t site,
                                                  unsigned part) {
  LogEntry* const entry = warp_log.expected;
  // A lane before this one may have gone elsewhere, and this one be where that was to be.
  if (address != entry->row_next || warp_log.lane != entry->row_lanes || entry->key != log_key(Kind, site, part) ||
      entry->size != Size)
    return false;
  entry->row_next += entry->row_step; // all that is noted of it
  ++entry->row_lanes;
  pass(entry);
  return true;
}

} // namespace simt
