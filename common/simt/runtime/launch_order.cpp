#include "simt/runtime/launch_order.hpp"

namespace simt {

namespace {

std::vector<GridFacts> facts;

/// Whether `earlier`, a child of the same grid and launched before `later`, is complete when that starts.
bool precedes(std::uint32_t earlier, std::uint32_t later) {
  const GridFacts &a = facts[earlier], &b = facts[later];
  if (b.stream_kind == StreamKind::tail) return a.stream_kind != StreamKind::tail || earlier < later;
  return earlier < later && a.stream_kind == b.stream_kind && a.stream == b.stream &&
         b.stream_kind != StreamKind::fire_and_forget;
}

} // namespace

void begin_launch_order() { facts.assign(1, {}); }

std::uint32_t note_launch(StreamKind kind, std::uint64_t stream) {
  const Warp& warp = *machine.warp;
  const Lane& lane = *machine.lane;
  GridFacts fact;
  fact.parent = machine.grid->number;
  fact.depth = facts[fact.parent].depth + 1;
  fact.stream_kind = kind;
  fact.stream = stream;
  fact.block = machine.block->index;
  fact.thread = lane.thread;
  fact.now = machine.now;
  if (warp.synced) {
    const auto& row = warp.seen[lane_of(lane)];
    fact.seen.assign(row.begin(), row.end());
  }
  facts.push_back(std::move(fact));
  return static_cast<std::uint32_t>(facts.size() - 1);
}

const GridFacts& facts_of(std::uint32_t grid) { return facts[grid]; }

GridRelation relation(std::uint32_t earlier, std::uint32_t grid) {
  if (earlier == grid) return {GridRelation::same, 0};
  // The children of the nearest common ancestor through which the two descend from it.
  std::uint32_t a = earlier, b = grid, below_a = 0, below_b = 0;
  while (a != b) {
    if (facts[a].depth >= facts[b].depth) {
      below_a = a;
      a = facts[a].parent;
    } else {
      below_b = b;
      b = facts[b].parent;
    }
  }
  if (a == grid) return {GridRelation::unordered, 0};
  if (a == earlier) {
    bool tail = facts[below_b].stream_kind == StreamKind::tail;
    return {tail ? GridRelation::complete : GridRelation::launched, below_b};
  }
  return {precedes(below_a, below_b) ? GridRelation::complete : GridRelation::unordered, 0};
}

bool follows_everything(std::uint32_t grid) {
  for (; grid != 0; grid = facts[grid].parent)
    if (facts[grid].stream_kind != StreamKind::tail) return false;
  return true;
}

} // namespace simt
