#include "simt/runtime/races/race.hpp"

#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/races/pending_write.hpp"
#include "simt/runtime/schedule/order.hpp"

namespace simt {

RaceCell* word_cells = nullptr;
AtomicCell* atomic_cells = nullptr;

namespace {

RaceCell* byte_cells = nullptr;
/// The epoch in which a word's bytes last got cells of their own.
std::uint32_t* split_epoch = nullptr;

PendingWrite<Stamp, report_shared_race> pending_shared_write;

} // namespace

void reserve_race_cells(unsigned slots) {
  static unsigned reserved = 0;
  reserve_cells(slots, reserved, [](auto grow) {
    grow(word_cells, 4);
    grow(atomic_cells, 4);
    grow(byte_cells, 1);
    grow(split_epoch, 4);
  });
}

void handle_conflict(const Stamp& earlier, Access earlier_access, std::size_t offset, unsigned size,
                     Access access, std::uintptr_t site) {
  const Warp& warp = *machine.warp;
  if (warp.synced && earlier.thread() / lanes_per_warp == machine.lane->thread / lanes_per_warp &&
      warp.seen[lane_of(*machine.lane)][earlier.thread() % lanes_per_warp] >= earlier.clock())
    return;
  if (happened_before(earlier.when, *machine.block, earlier.thread())) return;
  if (earlier_access == Access::atomic &&
      learned_of_update(earlier.when, earlier.thread(), machine.arena + offset))
    return;
  note_conflict(earlier, earlier_access, offset, size, access, site);
}

void note_conflict(const Stamp& earlier, Access earlier_access, std::size_t offset, unsigned size,
                   Access access, std::uintptr_t site) {
  std::uintptr_t address = machine.arena + offset;
  if (earlier_access != Access::write || access != Access::write) {
    report_shared_race(earlier, earlier_access, address, size, access, site, {});
    return;
  }
  pending_shared_write.keep(earlier, address, size, site, settle_pending_writes);
}

void settle_pending_writes() {
  machine.writes_pending = false;
  settle_global_write();
  pending_shared_write.settle();
}

void drop_pending_write() { pending_shared_write.drop(); }

void check_atomic_cell(const AtomicCell& cell, std::size_t offset, unsigned size, Access access,
                       std::uintptr_t site) {
  for (const Stamp* update : {&cell.latest, &cell.other})
    if (update->epoch() == machine.epoch && update->thread() != machine.lane->thread)
      handle_conflict(*update, Access::atomic, offset, size, access, site);
}

namespace {

template <Access Kind>
void check_bytes(std::size_t offset, unsigned size, std::uintptr_t site) {
  for (std::size_t word = offset / 4; word <= (offset + size - 1) / 4; ++word) {
    std::uint32_t& split = split_epoch[word];
    bool whole = size >= 4;
    if (split != machine.epoch && whole) {
      check_cell<Kind>(word_cells[word], word * 4, size, site);
      continue;
    }
    if (split != machine.epoch) {
      for (unsigned i = 0; i < 4; ++i) byte_cells[word * 4 + i] = word_cells[word];
      split = machine.epoch;
    }
    for (std::size_t byte = word * 4; byte < word * 4 + 4; ++byte)
      if (byte >= offset && byte < offset + size) check_cell<Kind>(byte_cells[byte], byte, size, site);
  }
}

} // namespace

void check_split_race(std::size_t offset, unsigned size, Access access, std::uintptr_t site) {
  machine.subword_accesses = true;
  if (machine.block->cluster) return check_cluster_access(offset, size, access, site);
  with_kind(access, [&]<Access Kind>() { check_bytes<Kind>(offset, size, site); });
}

} // namespace simt
