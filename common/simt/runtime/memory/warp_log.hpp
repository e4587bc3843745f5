// Groups the accesses of a warp's lanes into requests, as the hardware issues them.
//
// Lanes run one after the other up to their next synchronisation. The first lane to run leaves one entry per
// access; the others follow the list and add their addresses, which in straight code costs one comparison. A
// lane whose path differs looks for the next entry of its call site further on, or inserts a new one where it
// stands. Where a lane had passed over an entry of the same site before, the grouping is a guess, and is
// marked so.
#pragma once

#include "simt/runtime/machine/counting.hpp"

#include <cstddef>
#include <span>

namespace simt {

extern LogEntry end_of_log; ///< Its key 0 matches no access.

struct WarpLog {
  LogEntry* first = &end_of_log;
  LogEntry* expected = &end_of_log; ///< where the running lane's next access should be; the host has none
  LogEntry* previous = nullptr; ///< the running lane's last entry, null at the start
  std::uint32_t lane_bit = 0;
  std::uint32_t lane = 0;
};

extern WarpLog warp_log;

/// Prepares for another lane of the warp.
inline void begin_lane(unsigned lane) {
  warp_log.lane = lane;
  warp_log.lane_bit = 1u << lane;
  warp_log.previous = nullptr;
  warp_log.expected = warp_log.first;
}

/// Counts the requests of all lanes since the last call and empties the log. Sites are kept apart if asked
/// for.
void finish_requests();

/// Has the running lane's next access take the slow path, and `settle` called before it: a write that is pending is then in memory.
void interrupt_lane(void (*settle)());

/// What watches accesses while they have to be announced (announced.hpp): each that the log has taken, and what is open to be written,
/// which is open no more when others have run.
struct AccessWatcher {
  void (*announced)(std::uintptr_t address, std::size_t bytes, Access access);
  std::span<const std::byte> (*open_for_writing)();
};
extern const AccessWatcher* access_watcher; ///< null while they need not

/// The slow path of log_access.
void log_divergent_access(std::uint64_t key, std::uintptr_t address, unsigned size, Space space,
                          Access access, std::uintptr_t site);

[[gnu::always_inline]] inline std::uint64_t log_key(Access access, std::uintptr_t site, unsigned part) {
  return site << 16 | (part & 0x3fff) << 2 | static_cast<unsigned>(access);
}

/// The running lane's next access comes behind this one.
[[gnu::always_inline]] inline void pass(LogEntry* entry) {
  warp_log.previous = entry;
  // Mostly known without a look at `next`, for whose sake the accesses would wait for each other.
  warp_log.expected = entry->is_followed ? entry + 1 : entry->next;
}

[[gnu::always_inline]] inline void take_expected(LogEntry* entry, std::uintptr_t address) {
  entry->address[warp_log.lane] = address;
  entry->mask |= warp_log.lane_bit;
  pass(entry);
}

/// Adds the running lane's access if it is the one that the log expects next.
[[gnu::always_inline]] inline bool log_expected_access(std::uintptr_t address, Access access,
                                                       std::uintptr_t site, unsigned part) {
  LogEntry* entry = warp_log.expected;
  if (entry->key != log_key(access, site, part)) return false;
  take_expected(entry, address);
  return true;
}

/// Adds the running lane's access. `part` tells the accesses of one call apart (long copies).
[[gnu::always_inline]] inline void log_access(std::uintptr_t address, unsigned size, Space space,
                                              Access access, std::uintptr_t site, unsigned part = 0) {
  if (!log_expected_access(address, access, site, part))
    log_divergent_access(log_key(access, site, part), address, size, space, access, site);
  else if (access_watcher) [[unlikely]]
    access_watcher->announced(address, size, access);
}

} // namespace simt
