// Data races in shared memory, by happens-before.
//
// Two accesses of different threads to the same bytes, at least one of them a write, race unless a barrier
// lies between them: a block barrier (the epoch differs) or a __syncwarp that both lanes took part in (lane
// clocks), or releases and acquires order them (order.hpp). Atomic updates race with plain accesses only. Every 4-byte word has a cell; where 1- or 2-byte
// accesses happen, its bytes have cells of their own.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <sys/mman.h>

namespace simt {

/// Who accessed, and when. All zero: nobody.
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

template <Access Kind>
[[gnu::always_inline]] inline void check_cell(RaceCell& cell, std::size_t offset, unsigned size,
                                              std::uintptr_t site) {
  const std::uint64_t now = machine.now;
  const std::uint32_t epoch = static_cast<std::uint32_t>(now >> 32);
  const unsigned thread = machine.lane->thread;
  const std::uint64_t who = site << 16 | thread;
  if (cell.write.epoch() == epoch && cell.write.thread() != thread) [[unlikely]]
    handle_conflict(cell.write, Access::write, offset, size, Kind, site);
  if constexpr (Kind == Access::read) {
    if (cell.read.epoch() == epoch && cell.read.thread() != thread)
      (cell.read.thread() / lanes_per_warp == thread / lanes_per_warp ? cell.read_same_warp
                                                                      : cell.read_other_warp) = cell.read;
    cell.read = {now, who};
  } else {
    if (cell.read.epoch() == epoch) [[unlikely]] {
      for (const Stamp* read : {&cell.read, &cell.read_same_warp, &cell.read_other_warp})
        if (read->epoch() == epoch && read->thread() != thread)
          handle_conflict(*read, Access::read, offset, size, Kind, site);
    }
    if (Kind == Access::write) cell.write = {now, who};
  }
  AtomicCell& atomic = atomic_cells[offset / 4];
  if constexpr (Kind == Access::atomic) {
    if (atomic.latest.epoch() == epoch && atomic.latest.thread() != thread) atomic.other = atomic.latest;
    atomic.latest = {now, who};
    machine.shared_atomics = true;
  } else if (machine.shared_atomics) {
    check_atomic_cell(atomic, offset, size, Kind, site);
  }
}

/// Checks one access to the shared arena; `offset` is aligned to `Size`.
template <unsigned Size, Access Kind>
[[gnu::always_inline]] inline void check_race(std::size_t offset, std::uintptr_t site) {
  if (Size < 4 || machine.subword_accesses) [[unlikely]]
    return check_split_race(offset, Size, Kind, site);
  for (unsigned part = 0; part < Size; part += 4)
    check_cell<Kind>(word_cells[(offset + part) / 4], offset + part, Size, site);
}

} // namespace simt
