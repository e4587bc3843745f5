#include "simt/runtime/schedule/warp_sync.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/memory/recorder.hpp"
#include "simt/runtime/schedule/order.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace simt {

namespace {

Lane& lane_at(Block& block, const Warp& warp, unsigned lane) { return block.lanes[warp.first + lane]; }
const Lane& lane_at(const Block& block, const Warp& warp, unsigned lane) {
  return block.lanes[warp.first + lane];
}

bool waits_in_one_line(const Wait& a, const Wait& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

bool waits_alike(const Lane& a, const Lane& b) {
  if (a.wait.without_mask != b.wait.without_mask) return false;
  return a.state == LaneState::at_warp_sync && b.state == LaneState::at_warp_sync &&
         a.wait.mask == b.wait.mask && a.wait.kind == b.wait.kind &&
         (a.wait.kind != simt_warp_reduce || a.wait.operand == b.wait.operand) &&
         (a.wait.kind != simt_warp_matrix || matrix_wait(a.wait).complete == matrix_wait(b.wait).complete);
}

/// The lanes of `lane`'s mask that still exist: those that ended are not waited for. Of a matrix every lane has a part.
unsigned expected_lanes(const Block& block, const Warp& warp, const Lane& lane) {
  if (lane.wait.kind == simt_warp_matrix) return ~0u;
  unsigned expected = 0;
  for (unsigned i = 0; i < warp.size; ++i)
    if ((lane.wait.mask >> i & 1) && lane_at(block, warp, i).state != LaneState::finished)
      expected |= 1u << i;
  return expected | 1u << lane_of(lane);
}

/// __activemask, and operations without a mask: whoever stopped at the same line in the same round.
unsigned active_group(const Block& block, const Warp& warp, const Lane& lane) {
  unsigned group = 0;
  for (unsigned i = 0; i < warp.size; ++i) {
    const Lane& other = lane_at(block, warp, i);
    if (waits_alike(lane, other) && waits_in_one_line(other.wait, lane.wait)) group |= 1u << i;
  }
  return group;
}

/// After a synchronisation every lane of the group has seen what any of them had seen.
void join_clocks(Block& block, Warp& warp, unsigned group) {
  if (!warp.synced) {
    warp.synced = true;
    for (unsigned i = 0; i < lanes_per_warp; ++i) {
      warp.seen[i].fill(0);
      warp.seen[i][i] = 1;
    }
  }
  for (unsigned rest = group; rest != 0; rest &= rest - 1) {
    const unsigned i = static_cast<unsigned>(std::countr_zero(rest));
    warp.seen[i][i] += std::exchange(lane_at(block, warp, i).fences_passed, 0);
  }
  std::array<std::uint32_t, lanes_per_warp> joined{};
  for (unsigned rest = group; rest != 0; rest &= rest - 1) {
    const auto& seen = warp.seen[std::countr_zero(rest)];
    for (unsigned i = 0; i < lanes_per_warp; ++i) joined[i] = std::max(joined[i], seen[i]);
  }
  for (unsigned rest = group; rest != 0; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    warp.seen[lane] = joined;
    ++warp.seen[lane][lane];
  }
}

/// The lane that a shuffle reads from; the lane itself where the operand leads out of its segment.
unsigned shuffle_source(const Wait& wait, unsigned lane) {
  unsigned width = wait.width > 0 && wait.width <= 32 ? static_cast<unsigned>(wait.width) : 32;
  unsigned begin = lane & ~(width - 1), end = begin + width;
  switch (wait.kind) {
  case simt_warp_shuffle_index:
    return begin | (static_cast<unsigned>(wait.operand) & (width - 1));
  case simt_warp_shuffle_up: {
    unsigned delta = static_cast<unsigned>(wait.operand);
    return delta <= lane - begin ? lane - delta : lane;
  }
  case simt_warp_shuffle_down: {
    unsigned delta = static_cast<unsigned>(wait.operand);
    return delta < end - lane ? lane + delta : lane;
  }
  default: {
    unsigned source = lane ^ static_cast<unsigned>(wait.operand);
    return source < end ? source : lane;
  }
  }
}

bool is_shuffle(int kind) { return kind >= simt_warp_shuffle_index && kind <= simt_warp_shuffle_xor; }

std::uint32_t combine(int operation, std::uint32_t a, std::uint32_t b) {
  auto is_less = [&](bool is_signed) {
    return is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  };
  switch (operation) {
  case simt_atomic_add:
    return a + b;
  case simt_atomic_and:
    return a & b;
  case simt_atomic_or:
    return a | b;
  case simt_atomic_xor:
    return a ^ b;
  case simt_atomic_min_signed:
  case simt_atomic_min_unsigned:
    return is_less(operation == simt_atomic_min_signed) ? a : b;
  default:
    return is_less(operation == simt_atomic_max_signed) ? b : a;
  }
}

/// The value of a reduction over the lanes of the group.
std::uint32_t reduce(const Block& block, const Warp& warp, unsigned group) {
  const Wait& first = lane_at(block, warp, std::countr_zero(group)).wait;
  std::uint32_t result = static_cast<std::uint32_t>(first.value);
  for (unsigned rest = group & (group - 1); rest != 0; rest &= rest - 1)
    result = combine(first.operand, result,
                     static_cast<std::uint32_t>(lane_at(block, warp, std::countr_zero(rest)).wait.value));
  return result;
}

void complete_matrix(Block& block, const Warp& warp) {
  MatrixWait* waits[lanes_per_warp];
  for (unsigned i = 0; i < lanes_per_warp; ++i)
    waits[i] = reinterpret_cast<MatrixWait*>(lane_at(block, warp, i).wait.value);
  waits[0]->complete(waits);
}

void exchange(Block& block, Warp& warp, unsigned group) {
  unsigned equal_to_first = 0, voted = 0;
  const Lane& first = lane_at(block, warp, std::countr_zero(group));
  int kind = first.wait.kind;
  for (unsigned rest = group; rest != 0; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    const Lane& lane = lane_at(block, warp, i);
    if (lane.wait.value == first.wait.value) equal_to_first |= 1u << i;
    if (lane.wait.value != 0) voted |= 1u << i;
  }
  std::uint32_t reduced = kind == simt_warp_reduce ? reduce(block, warp, group) : 0;
  for (unsigned rest = group; rest != 0; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    Lane& lane = lane_at(block, warp, i);
    if (kind == simt_warp_reduce) {
      lane.wait.result = reduced;
    } else if (is_shuffle(kind)) {
      unsigned source = shuffle_source(lane.wait, i);
      bool present = group >> source & 1;
      if (!present) report_absent_shuffle_source(block, lane, source);
      lane.wait.result = present ? lane_at(block, warp, source).wait.value : lane.wait.value;
    } else if (kind == simt_warp_ballot) {
      lane.wait.result = voted;
    } else if (kind == simt_warp_match_all) {
      lane.wait.result = equal_to_first == group ? group : 0;
    } else if (kind == simt_warp_match_any) {
      unsigned equal = 0;
      for (unsigned others = group; others != 0; others &= others - 1) {
        unsigned other = std::countr_zero(others);
        if (lane_at(block, warp, other).wait.value == lane.wait.value) equal |= 1u << other;
      }
      lane.wait.result = equal;
    } else {
      lane.wait.result = group;
    }
  }
}

/// Completes the operation of the lanes of `group`, which go on.
void release_group(Block& block, Warp& warp, unsigned group) {
  const int kind = lane_at(block, warp, std::countr_zero(group)).wait.kind;
  if (kind == simt_warp_matrix)
    complete_matrix(block, warp);
  else
    exchange(block, warp, group);
  if (machine.options.trace && kind != simt_warp_sync) record_exchange(block, &warp, group);
  // Shuffles and votes exchange registers; they do not order memory accesses.
  if (kind == simt_warp_sync) {
    join_clocks(block, warp, group);
    if (block.cluster) join_acquired(block, warp, group);
    join_lanes(block, warp, group);
  }
  machine.totals.warp_syncs += kind == simt_warp_sync;
  machine.totals.shuffles += kind != simt_warp_sync && kind != simt_warp_active && kind != simt_warp_matrix;
  for (unsigned rest = group; rest != 0; rest &= rest - 1)
    lane_at(block, warp, std::countr_zero(rest)).state = LaneState::ready;
}

/// Which of two operations without a mask completes first. The devices that had them ran the lanes of a branch or of a
/// loop until they met the others again, behind it: mostly that is further down in the file.
bool goes_first(const Wait& a, const Wait& b) { return std::strcmp(a.file, b.file) == 0 && a.line < b.line; }

} // namespace

unsigned missing_lanes(const Block& block, const Warp& warp, const Lane& lane) {
  unsigned missing = 0;
  for (unsigned rest = expected_lanes(block, warp, lane); rest != 0; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    if (i >= warp.size || !waits_alike(lane, lane_at(block, warp, i))) missing |= 1u << i;
  }
  return missing;
}

bool release_warp_groups(Block& block, Warp& warp) {
  if (!warp.syncing) return false;
  warp.syncing = false;
  bool released = false;
  const Lane* without_mask = nullptr;
  for (unsigned i = 0; i < warp.size; ++i) {
    const Lane& lane = lane_at(block, warp, i);
    if (lane.state != LaneState::at_warp_sync) continue;
    unsigned group = 0;
    if (lane.wait.without_mask) {
      if (!without_mask || goes_first(lane.wait, without_mask->wait)) without_mask = &lane;
    } else if (lane.wait.kind == simt_warp_active) {
      group = active_group(block, warp, lane);
    } else if (missing_lanes(block, warp, lane) == 0) {
      group = expected_lanes(block, warp, lane);
    }
    if (group == 0) {
      warp.syncing = true;
      continue;
    }
    release_group(block, warp, group);
    released = true;
  }
  if (!without_mask || released) return released;
  release_group(block, warp, active_group(block, warp, *without_mask));
  return true;
}

} // namespace simt
