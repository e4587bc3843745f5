#include "simt/runtime/schedule/launch_order.hpp"

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

void begin_launch_order(std::string kernel) {
  facts.assign(1, {});
  facts[0].kernel = std::move(kernel);
}

std::uint32_t note_launch(StreamKind kind, std::uint64_t stream, std::string kernel, std::uint32_t view) {
  GridFacts fact;
  fact.parent = machine.grid->number;
  fact.depth = facts[fact.parent].depth + 1;
  fact.stream_kind = kind;
  fact.stream = stream;
  fact.kernel = std::move(kernel);
  // Kept, because an endless chain of tail launches would be walked again by each of its grids.
  fact.follows_everything =
      kind == StreamKind::tail && (fact.parent == 0 || facts[fact.parent].follows_everything);
  fact.view = view;
  facts.push_back(std::move(fact));
  return static_cast<std::uint32_t>(facts.size() - 1);
}

void note_start(std::uint32_t grid, std::uint32_t next_segment) {
  facts[grid].floor = follows_everything(grid) ? next_segment : facts[facts[grid].parent].floor;
}

const GridFacts& facts_of(std::uint32_t grid) { return facts[grid]; }

bool is_complete_before(std::uint32_t earlier, std::uint32_t grid) {
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
  if (a == grid) return false; // its own child
  // Of an ancestor only the blocks are complete, and that for tail launches.
  if (a == earlier) return facts[below_b].stream_kind == StreamKind::tail;
  return precedes(below_a, below_b);
}

bool follows_everything(std::uint32_t grid) { return grid == 0 || facts[grid].follows_everything; }

} // namespace simt
