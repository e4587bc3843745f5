#include "simt/runtime/machine/branches.hpp"

#include "simt/diagnostics/diagnose.hpp"

#include <algorithm>
#include <cstring>

namespace simt {

namespace {

/// Nearly always they are one string.
bool is_same_file(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }

bool is_same(const Branch& a, const Branch& b) {
  return a.first == b.first && a.last == b.last && is_same_file(a.file, b.file);
}

bool contains(const Branch& branch, const Wait& wait) {
  return branch.first <= wait.line && wait.line <= branch.last && is_same_file(branch.file, wait.file);
}

void note_condition(bool entered, const Branch& here) {
  Block& block = *machine.block;
  if (block.branches.empty()) block.branches.resize(block.lanes.size());
  std::vector<Branch>& known = block.branches[machine.lane->thread];
  auto branch = std::find_if(known.begin(), known.end(), [&](const Branch& b) { return is_same(b, here); });
  if (branch == known.end()) branch = known.insert(known.end(), here);
  if (branch->times < 64 && !entered) branch->skipped |= std::uint64_t{1} << branch->times;
  ++branch->times;
  branch->entered = entered;
}

BarrierVisits& visits_of(Block& block, const Lane& lane, const Wait& wait) {
  std::vector<BarrierVisits>& known = block.visits[lane.thread];
  for (BarrierVisits& visits : known)
    if (visits.line == wait.line && is_same_file(visits.file, wait.file)) return visits;
  return known.emplace_back(BarrierVisits{wait.file, wait.line, 0});
}

void count_visits(Block& block) {
  for (const Lane& lane : block.lanes)
    if (lane.state == LaneState::at_barrier) ++visits_of(block, lane, lane.wait).times;
}

void report_skipped(Block& block, const Lane& waits, const Lane& skipped, const Branch& branch) {
  if (!branch.loop) return report_skipped_barrier(block, waits, skipped, branch);
  const unsigned more = visits_of(block, waits, waits.wait).times;
  const unsigned fewer = visits_of(block, skipped, waits.wait).times;
  // A lane that goes on to the next turn before its barrier may have made more turns and come there less often.
  if (fewer < more) report_uneven_loop(block, waits, more, skipped, fewer, branch);
}

} // namespace

void note_branch(bool entered, const char* file, int first, int last) {
  note_condition(entered, Branch{file, first, last});
}

void enter_loop() {
  Block& block = *machine.block;
  if (block.visits.empty()) block.visits.resize(block.lanes.size());
  block.counts_visits = true;
}

void note_loop(bool goes_on, const char* file, int first, int last) {
  enter_loop();
  note_condition(goes_on, Branch{file, first, last, true});
}

void check_skipped_barrier(Block& block, const Lane& waiting) {
  if (block.counts_visits) count_visits(block);
  if (block.branches.empty()) return;
  const auto find_skipped = [&](const Branch& branch) -> const Lane* {
    const std::uint64_t this_time = std::uint64_t{1} << (branch.times - 1);
    for (const Lane& lane : block.lanes) {
      if (lane.state != LaneState::finished) continue;
      for (const Branch& other : block.branches[lane.thread])
        if (is_same(other, branch) && (other.skipped & this_time) != 0) return &lane;
    }
    return nullptr;
  };
  for (const Branch& branch : block.branches[waiting.thread]) {
    if (!branch.entered || branch.times > 64 || !contains(branch, waiting.wait)) continue;
    if (const Lane* lane = find_skipped(branch)) report_skipped(block, waiting, *lane, branch);
  }
  for (std::vector<Branch>& known : block.branches) known.clear();
}

} // namespace simt
