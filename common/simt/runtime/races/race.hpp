// Data races in shared memory, by happens-before.
//
// Two accesses of different threads to the same bytes, at least one of them a write, race unless a barrier
// lies between them: a block barrier (the epoch differs) or a __syncwarp that both lanes took part in (lane
// clocks), or releases and acquires order them (order.hpp). Atomic updates race with plain accesses only. Every 4-byte word has a cell; where 1- or 2-byte
// accesses happen, its bytes have cells of their own.
#pragma once

#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/races/fence_reads.hpp"

#include <cstdint>
#include <sys/mman.h>

namespace simt {

/// Who accessed, and when. All zero: no access.
struct Stamp {
  std::uint64_t when = 0; ///< epoch << 32 | lane clock
  std::uint64_t who = 0;  ///< call site << 16 | thread

  std::uint32_t epoch() const { return static_cast<std::uint32_t>(when >> 32); }
  std::uint32_t clock() const { return static_cast<std::uint32_t>(when); }
  unsigned thread() const { return who & 0xffff; }
  std::uintptr_t site() const { return who >> 16; }
};

/// The last write, and the readers since that can still matter to a later writer: whoever that is, one of the
/// readers is another thread, and one is in another warp if any was.
struct RaceCell {
  Stamp write;
  Stamp read;
  Stamp read_same_warp;
  Stamp read_other_warp;
};

/// The last atomic update of a word, and the last one by another thread than that.
struct AtomicCell {
  Stamp latest;
  Stamp other;
};

// By offset in the shared arena / 4.
extern RaceCell* word_cells;
extern AtomicCell* atomic_cells;

/// Makes room for the cells of that many shared-memory windows; `reserved` is for how many there is. Has `grow_all` called
/// with what takes cells and how many bytes one is for. This happens twice at most: address space is not given back. What
/// old cells hold is of earlier grids, and of no interest.
template <typename GrowAll>
void reserve_cells(unsigned slots, unsigned& reserved, const GrowAll& grow_all) {
  if (slots <= reserved) return;
  const unsigned wanted = slots <= max_resident_blocks ? max_resident_blocks : max_cooperative_blocks;
  grow_all([&]<class Cell>(Cell*& cells, std::size_t bytes_per_cell) {
    const std::size_t bytes = shared_window / bytes_per_cell * sizeof(Cell);
    if (cells) madvise(cells, reserved * bytes, MADV_DONTNEED);
    cells = static_cast<Cell*>(reserve_memory(wanted * bytes));
  });
  reserved = wanted;
}

/// Makes room for all cells here.
void reserve_race_cells(unsigned slots);

/// Handles a conflict between an earlier access and the running lane's: unless the warp's clocks order them,
/// it is reported. Of two plain writes the report waits until the new value is there, and is dropped if that
/// equals the old.
void handle_conflict(const Stamp& earlier, Access earlier_access, std::size_t offset, unsigned size,
                     Access access, std::uintptr_t site);

/// As handle_conflict, once it is known that nothing orders the two accesses.
void note_conflict(const Stamp& earlier, Access earlier_access, std::size_t offset, unsigned size,
                   Access access, std::uintptr_t site);

void settle_pending_writes();
/// Decides about a write that waits for its value. Called before the lane's next access and when it stops.
inline void settle_pending_write() {
  if (machine.writes_pending) [[unlikely]]
    settle_pending_writes();
}

/// Forgets a write that still waited when its grid was ended.
void drop_pending_write();

/// Checks and updates the cells of 1- and 2-byte accesses, and of words whose bytes were accessed singly.
void check_split_race(std::size_t offset, unsigned size, Access access, std::uintptr_t site);

/// Checks one access of the running lane to the shared memory of its cluster. `offset` is in the arena.
void check_cluster_access(std::size_t offset, unsigned size, Access access, std::uintptr_t site);

/// Checks a plain access against the atomic updates of its word.
void check_atomic_cell(const AtomicCell& cell, std::size_t offset, unsigned size, Access access,
                       std::uintptr_t site);

/// Whether the access was made in this epoch, and by another thread.
[[gnu::always_inline]] inline bool is_by_other(const Stamp& earlier) {
  return earlier.epoch() == static_cast<std::uint32_t>(machine.now >> 32) &&
         earlier.thread() != machine.lane->thread;
}

[[gnu::always_inline]] inline void keep_read(RaceCell& cell, const Stamp& mine) {
  if (cell.read.epoch() == mine.epoch() && cell.read.thread() != mine.thread())
    (cell.read.thread() / lanes_per_warp == mine.thread() / lanes_per_warp ? cell.read_same_warp
                                                                           : cell.read_other_warp) =
        cell.read;
  cell.read = mine;
}

/// Checks and updates a cell for a read or write if there is nothing to be said; else does nothing, and returns false.
template <Access Kind>
[[gnu::always_inline]] inline bool pass_cell(RaceCell& cell, const Stamp& mine) {
  if (is_by_other(cell.write)) return false;
  if constexpr (Kind == Access::read) {
    keep_read(cell, mine);
  } else {
    if (cell.read.epoch() == mine.epoch() &&
        (is_by_other(cell.read) || is_by_other(cell.read_same_warp) || is_by_other(cell.read_other_warp)))
      return false;
    cell.write = mine;
  }
  return true;
}

template <Access Kind>
void check_cell(RaceCell& cell, std::size_t offset, unsigned size, std::uintptr_t site) {
  const Stamp mine{machine.now, site << 16 | machine.lane->thread};
  if (is_by_other(cell.write)) handle_conflict(cell.write, Access::write, offset, size, Kind, site);
  if constexpr (Kind == Access::read) {
    keep_read(cell, mine);
  } else {
    if (cell.read.epoch() == mine.epoch()) {
      for (const Stamp* read : {&cell.read, &cell.read_same_warp, &cell.read_other_warp})
        if (is_by_other(*read)) handle_conflict(*read, Access::read, offset, size, Kind, site);
    }
    if (Kind == Access::write) cell.write = mine;
  }
  AtomicCell& atomic = atomic_cells[offset / 4];
  if constexpr (Kind == Access::atomic) {
    if (is_by_other(atomic.latest)) atomic.other = atomic.latest;
    atomic.latest = mine;
    machine.shared_atomics = true;
  } else if (machine.shared_atomics) {
    check_atomic_cell(atomic, offset, size, Kind, site);
  }
}

/// Checks the words from byte `part` on of an access to the shared arena.
template <unsigned Size, Access Kind>
[[gnu::noinline]] void check_words(std::size_t offset, std::uintptr_t site, unsigned part) {
  for (; part < Size; part += 4) check_cell<Kind>(word_cells[(offset + part) / 4], offset + part, Size, site);
}

template <unsigned Size, Access Kind>
void end_waiting_and_check(std::size_t offset, std::uintptr_t site);

/// Checks one access to the shared arena; `offset` is aligned to `Size`. All that is rare is left to others by tail calls.
template <unsigned Size, Access Kind>
[[gnu::always_inline]] inline void check_race(std::size_t offset, std::uintptr_t site) {
  if (machine.reads_wait) [[unlikely]]
    return end_waiting_and_check<Size, Kind>(offset, site);
  if (Size < 4 || machine.subword_accesses) [[unlikely]]
    return check_split_race(offset, Size, Kind, site);
  if (Kind == Access::atomic || machine.shared_atomics) return check_words<Size, Kind>(offset, site, 0);
  if constexpr (Kind != Access::atomic) {
    const Stamp mine{machine.now, site << 16 | machine.lane->thread};
    for (unsigned part = 0; part < Size; part += 4)
      if (!pass_cell<Kind>(word_cells[(offset + part) / 4], mine)) [[unlikely]]
        return check_words<Size, Kind>(offset, site, part);
  }
}

template <unsigned Size, Access Kind>
[[gnu::noinline]] void end_waiting_and_check(std::size_t offset, std::uintptr_t site) {
  end_waiting();
  check_race<Size, Kind>(offset, site);
}

} // namespace simt
