// Reads of shared memory whose race checks wait.
//
// A read races with a write only, and most kernels do not write to shared memory between the two barriers that they read it
// between. So a read leaves nothing but its address in the warp's log; a round's requests are kept as a few numbers each; and
// when the next barrier is complete they are forgotten. If another access to shared memory comes first, that may race with
// them, all of them leave their stamps before it is checked, in the order in which they were made: so it finds what it would
// have found, had none of them waited.
#pragma once

#include "simt/runtime/memory/warp_log.hpp"
#include "simt/runtime/races/fence_reads.hpp"

#include <bit>
#include <span>

namespace simt {

/// Before the lanes of a warp run, in this order: may their reads of shared memory wait?
void begin_waiting(Block& block, const Warp& warp, std::span<const std::uint8_t> lanes);

/// After they have run, while the log has their requests.
void keep_waiting_reads();

/// A barrier orders all that was read in the block before whatever comes.
void forget_waiting_reads();

/// Whether the race check of the read that the log has just taken can wait; `offset` is in the shared arena.
[[gnu::always_inline]] inline bool may_wait(std::size_t offset) {
  return machine.reads_wait && offset - (machine.block->shared_base - machine.arena) < shared_window &&
         warp_log.previous->space == Space::shared;
}

/// Lets it wait, and the same of other lanes: most simply where all of the variable at `address` has been written.
void let_wait(std::uintptr_t address);

/// Has the other lanes' reads of this request wait without a look at each of them, if lanes 0 and 1 have come, and if all that
/// the others read has been written, should they read in the same steps: a column of a padded tile, say. Lane 1 runs.
void look_for_even_steps();

/// Whether the read that the log has just taken waits as that of another lane does.
[[gnu::always_inline]] inline bool waits_too(std::size_t offset) {
  if (!warp_log.previous->waits ||
      offset - (machine.block->shared_base - machine.arena) >= shared_window)
    return false;
  if (warp_log.previous->may_be_even) [[unlikely]]
    look_for_even_steps();
  return true;
}

/// Adds the running lane's read if the log expects it, and if nothing is to be checked of it but races, which can wait.
template <unsigned Size>
[[gnu::always_inline]] inline bool log_waiting_read(std::uintptr_t address, std::uintptr_t site,
                                                    unsigned part) {
  LogEntry* const entry = warp_log.expected;
  // What is not aligned has its lowest bits in the highest, and is far beyond.
  const std::uintptr_t element = std::rotr(address - entry->whole_begin, std::countr_zero(Size));
  if (element >= entry->whole_bytes / Size || entry->key != log_key(Access::read, site, part)) return false;
  take_expected(entry, address);
  return true;
}

} // namespace simt
