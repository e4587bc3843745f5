#include "simt/runtime/machine/branches.hpp"

#include "simt/diagnostics/diagnose.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace simt {

namespace {

/// Nearly always they are one string.
bool is_same_file(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }

bool contains(const Branch& branch, const Wait& wait) {
  return branch.first <= wait.line && wait.line <= branch.last && is_same_file(branch.file, wait.file);
}

std::uint32_t last_interval = 0;
std::uint64_t last_order = 0;

/// What the block's threads have of a branch, by thread. (`here` comes in registers: from memory, where its parts have just been
/// written one by one, the processor would have to wait for it.)
BranchVisits* visits_of_branch(Block& block, Branch here) {
  const auto is_here = [here](const Branch& branch) {
    return branch.first == here.first && branch.last == here.last && is_same_file(branch.file, here.file);
  };
  const std::size_t number = static_cast<std::size_t>(
      std::find_if(block.branches.begin(), block.branches.end(), is_here) - block.branches.begin());
  if (number == block.branches.size()) {
    block.branches.push_back(here);
    block.branch_visits.resize(block.branches.size() * block.lanes.size());
  }
  return &block.branch_visits[number * block.lanes.size()];
}

void note_condition(bool entered, Branch here, bool loop) {
  Block& block = *machine.block;
  BranchVisits& visits = visits_of_branch(block, here)[machine.lane->thread];
  if (visits.interval != block.interval)
    visits = {.order = ++last_order, .interval = block.interval, .loop = loop};
  if (visits.times < 64 && !entered) visits.skipped |= std::uint64_t{1} << visits.times;
  ++visits.times;
  visits.entered = entered;
}

BarrierVisits& visits_of_barrier(Block& block, const Wait& wait) {
  for (BarrierVisits& visits : block.barrier_visits)
    if (visits.line == wait.line && is_same_file(visits.file, wait.file)) return visits;
  return block.barrier_visits.emplace_back(BarrierVisits{wait.file, wait.line, 0, {}});
}

unsigned times_at_barrier(Block& block, const Lane& lane, const Wait& wait) {
  const BarrierVisits& visits = visits_of_barrier(block, wait);
  return visits.by_all + (visits.by_thread.empty() ? 0 : visits.by_thread[lane.thread]);
}

void count_visits(Block& block, const Lane& waiting, bool all_wait) {
  if (all_wait) {
    ++visits_of_barrier(block, waiting.wait).by_all;
    return;
  }
  for (const Lane& lane : block.lanes) {
    if (lane.state != LaneState::at_barrier) continue;
    std::vector<unsigned>& times = visits_of_barrier(block, lane.wait).by_thread;
    if (times.empty()) times.resize(block.lanes.size());
    ++times[lane.thread];
  }
}

void report_skipped(Block& block, const Lane& waits, const Lane& skipped, const Branch& branch, bool loop) {
  if (!loop) return report_skipped_barrier(block, waits, skipped, branch);
  const unsigned more = times_at_barrier(block, waits, waits.wait);
  const unsigned fewer = times_at_barrier(block, skipped, waits.wait);
  // A lane that goes on to the next turn before its barrier may have made more turns and come there less often.
  if (fewer < more) report_uneven_loop(block, waits, more, skipped, fewer, branch);
}

/// Reports the lanes that have skipped the barrier, by the branches through which `waiting` has come to it.
void report_all_skipped(Block& block, const Lane& waiting) {
  using Numbered = std::pair<std::size_t, BranchVisits>;
  std::vector<Numbered> entered; // in the order in which the lane came to them
  const std::size_t lanes = block.lanes.size();
  for (std::size_t number = 0; number < block.branches.size(); ++number) {
    const BranchVisits& visits = block.branch_visits[number * lanes + waiting.thread];
    if (visits.interval == block.interval && visits.entered && visits.times <= 64 &&
        contains(block.branches[number], waiting.wait))
      entered.emplace_back(number, visits);
  }
  std::sort(entered.begin(), entered.end(),
            [](const Numbered& a, const Numbered& b) { return a.second.order < b.second.order; });
  for (const auto& [number, visits] : entered) {
    const std::uint64_t this_time = std::uint64_t{1} << (visits.times - 1);
    const BranchVisits* of_thread = &block.branch_visits[number * lanes];
    const auto has_skipped = [&](const Lane& lane) {
      const BranchVisits& other = of_thread[lane.thread];
      return lane.state == LaneState::finished && other.interval == block.interval &&
             (other.skipped & this_time) != 0;
    };
    const auto lane = std::find_if(block.lanes.begin(), block.lanes.end(), has_skipped);
    if (lane != block.lanes.end()) report_skipped(block, waiting, *lane, block.branches[number], visits.loop);
  }
}

/// The loop in which `waits` is at a barrier, and which `left` has left since all were at one; null if there is none.
const Branch* loop_left_by(const Block& block, const Lane& waits, const Lane& left) {
  const std::size_t lanes = block.lanes.size();
  for (std::size_t number = 0; number < block.branches.size(); ++number) {
    const BranchVisits& here = block.branch_visits[number * lanes + waits.thread];
    const BranchVisits& there = block.branch_visits[number * lanes + left.thread];
    if (here.interval == block.interval && here.loop && here.entered && there.interval == block.interval &&
        !there.entered && contains(block.branches[number], waits.wait) &&
        !contains(block.branches[number], left.wait))
      return &block.branches[number];
  }
  return nullptr;
}

} // namespace

void report_apart(Block& block, const Lane& first, const Lane& second) {
  for (const auto& [waits, left] : {std::pair{&first, &second}, std::pair{&second, &first}}) {
    const Branch* loop = loop_left_by(block, *waits, *left);
    if (!loop) continue;
    const unsigned more = times_at_barrier(block, *waits, waits->wait) + 1; // this time is not counted yet
    const unsigned fewer = times_at_barrier(block, *left, waits->wait);
    if (fewer < more) return report_uneven_loop(block, *waits, more, *left, fewer, *loop);
  }
  report_barrier_divergence(block, first, second);
}

void note_branch(bool entered, const char* file, int first, int last) {
  note_condition(entered, Branch{file, first, last}, false);
}

void enter_loop() { machine.block->counts_visits = true; }

void note_loop(bool goes_on, const char* file, int first, int last) {
  enter_loop();
  note_condition(goes_on, Branch{file, first, last}, true);
}

void begin_interval(Block& block) { block.interval = ++last_interval; }

void check_skipped_barrier(Block& block, const Lane& waiting, bool all_wait) {
  if (block.counts_visits) count_visits(block, waiting, all_wait);
  if (!all_wait) report_all_skipped(block, waiting);
  begin_interval(block);
}

} // namespace simt
