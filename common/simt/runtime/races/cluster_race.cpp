// Accesses to the shared memory of a cluster: are they made while it exists, and do they race.
//
// Threads of different blocks are ordered by the cluster's barrier only: an access happened before everything
// that comes after a wait for a later phase than those that its thread had arrived at by then. Within a block
// the rules of race.hpp hold, and a phase of the cluster's barrier counts as one of the block. As there, a
// cell keeps the last write and those readers and atomic updates that can still matter.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/order.hpp"

#include <unordered_map>

namespace simt {

namespace {

/// The latest accesses to a word, by any thread.
struct ClusterCell {
  Stamp write;
  Stamp read;
  Stamp update; ///< atomic
  // When an access was last kept among the others of its kind: up to the cluster's floor, they are of no interest.
  std::uint32_t others_read = 0;
  std::uint32_t others_updated = 0;
};

/// Beside the latest access of one kind, those of other threads: in its warp, in its block, and in another block.
struct Others {
  Stamp same_warp, same_block, other_block;
};

/// Most words are not read or updated by many threads between two barriers, and never touch theirs.
struct ClusterCrowd {
  Others read, update;
};

/// By offset in the shared arena / 4; bytes have cells of their own where they were accessed singly.
ClusterCell* cells = nullptr;
ClusterCrowd* crowds = nullptr;
struct ByteCells {
  std::array<ClusterCell, 4> cells;
  std::array<ClusterCrowd, 4> crowds;
};
std::unordered_map<std::size_t, ByteCells> cluster_byte_cells;

constexpr std::uint32_t warp_clock_mask = (1u << warp_clock_bits) - 1;

bool is_ordered(const Stamp& earlier) {
  const Block& block = *machine.block;
  const Lane& lane = *machine.lane;
  if (earlier.epoch() <= block.cluster->floor || earlier.thread() == thread_in_cluster(block, lane) ||
      released_at(earlier) < lane.acquired)
    return true;
  if (earlier.thread() / max_threads_per_block != block.rank) return false;
  if (earlier.epoch() != block.epoch) return true;
  unsigned thread = earlier.thread() % max_threads_per_block;
  return machine.warp->synced && thread / lanes_per_warp == lane.thread / lanes_per_warp &&
         machine.warp->seen[lane_of(lane)][thread % lanes_per_warp] >= (earlier.clock() & warp_clock_mask);
}

void remember(Stamp& latest, Others& others, std::uint32_t& kept, const Stamp& now) {
  if (!is_ordered(latest)) {
    bool same_block = latest.thread() / max_threads_per_block == now.thread() / max_threads_per_block;
    bool same_warp = latest.thread() / lanes_per_warp == now.thread() / lanes_per_warp;
    if (kept <= machine.block->cluster->floor) others = {};
    (same_warp ? others.same_warp : same_block ? others.same_block : others.other_block) = latest;
    kept = now.epoch();
  }
  latest = now;
}

struct Use {
  std::size_t offset;
  unsigned size;
  Access access;
  std::uintptr_t site;
};

void check(const Stamp& earlier, Access earlier_access, const Use& use) {
  if (is_ordered(earlier)) return;
  const Block& owner = *machine.block->cluster->blocks[earlier.thread() / max_threads_per_block];
  if (!happened_before(earlier.when, owner, earlier.thread() % max_threads_per_block))
    note_conflict(earlier, earlier_access, use.offset, use.size, use.access, use.site);
}

void check_all(const Stamp& latest, const Others& others, std::uint32_t kept, Access earlier_access,
               const Use& use) {
  check(latest, earlier_access, use);
  if (kept <= machine.block->cluster->floor) return;
  for (const Stamp* earlier : {&others.same_warp, &others.same_block, &others.other_block})
    check(*earlier, earlier_access, use);
}

void check_cell(ClusterCell& cell, ClusterCrowd& crowd, const Stamp& now, const Use& use) {
  check(cell.write, Access::write, use);
  if (use.access != Access::read) check_all(cell.read, crowd.read, cell.others_read, Access::read, use);
  if (use.access != Access::atomic)
    check_all(cell.update, crowd.update, cell.others_updated, Access::atomic, use);
  if (use.access == Access::read) remember(cell.read, crowd.read, cell.others_read, now);
  if (use.access == Access::write) cell.write = now;
  if (use.access == Access::atomic) remember(cell.update, crowd.update, cell.others_updated, now);
}

void check_word(std::size_t word, const Stamp& now, Use use) {
  auto split = cluster_byte_cells.find(word);
  if (split == cluster_byte_cells.end() && use.size >= 4) {
    use.offset = word * 4;
    return check_cell(cells[word], crowds[word], now, use);
  }
  if (split == cluster_byte_cells.end()) {
    split = cluster_byte_cells.try_emplace(word).first;
    split->second.cells.fill(cells[word]);
    split->second.crowds.fill(crowds[word]);
  }
  std::size_t begin = use.offset, end = use.offset + use.size;
  for (std::size_t byte = std::max(begin, word * 4); byte < std::min(end, word * 4 + 4); ++byte) {
    use.offset = byte;
    check_cell(split->second.cells[byte % 4], split->second.crowds[byte % 4], now, use);
  }
}

/// Another block's shared memory exists from when all blocks have started until it ends.
void check_lifetime(const Block& owner, const Stamp& now, const Use& use) {
  Cluster& cluster = *owner.cluster;
  std::uintptr_t address = machine.arena + use.offset;
  if (!cluster.started && machine.lane->acquired == 0)
    report_access("cluster-not-started", address, use.size, use.access, use.site);
  RemoteUse& latest = cluster.uses[owner.rank][machine.block->rank];
  if (latest.stamp.epoch() <= cluster.floor || released_at(latest.stamp) <= machine.lane->released)
    latest = {now, use.access, use.size, address};
  if (owner.unfinished > 0) return;
  report_cluster_left(owner, owner.lanes.front(), *machine.block, {now, use.access, use.size, address});
  abandon_grid(cudaErrorLaunchFailure);
}

} // namespace

void start_cluster_checks(unsigned slots) {
  cluster_byte_cells.clear();
  reserve_cluster_cells(slots);
}

void reserve_cluster_cells(unsigned slots) {
  static unsigned reserved = 0;
  reserve_cells(slots, reserved, [](auto grow) {
    grow(cells, 4);
    grow(crowds, 4);
  });
}

void check_cluster_access(std::size_t offset, unsigned size, Access access, std::uintptr_t site) {
  const Block& block = *machine.block;
  const Block& owner = shared_owner(machine.arena + offset);
  if (owner.slot != offset / shared_window || owner.cluster != block.cluster)
    return report_out_of_bounds(machine.arena + offset, size, access, site);
  Stamp now{machine.now, site << 16 | thread_in_cluster(block, *machine.lane)};
  Use use{offset, size, access, site};
  if (&owner != &block) check_lifetime(owner, now, use);
  for (std::size_t word = offset / 4; word <= (offset + size - 1) / 4; ++word) check_word(word, now, use);
}

} // namespace simt
