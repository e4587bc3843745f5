// Diagnostics about synchronisation, launches and crashes.
#include "simt/diagnostics/diagnose.hpp"

#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/schedule/device_launch.hpp"
#include "simt/runtime/schedule/phase_barrier.hpp"
#include "simt/runtime/schedule/warp_sync.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace simt {

namespace {

struct Name {
  int kind;
  const char* name;
};
constexpr Name barriers[] = {{simt_barrier_count, "__syncthreads_count()"},
                             {simt_barrier_and, "__syncthreads_and()"},
                             {simt_barrier_or, "__syncthreads_or()"},
                             {simt_barrier_cluster, "cluster.sync()"}};
constexpr Name warp_operations[] = {
    {simt_warp_sync, "__syncwarp()"},      {simt_warp_ballot, "a warp vote"},
    {simt_warp_match_any, "a warp match"}, {simt_warp_match_all, "a warp match"},
    {simt_warp_active, "__activemask()"},  {simt_warp_reduce, "a warp reduction"}};

const char* name_of(std::span<const Name> names, int kind, const char* others) {
  const auto found = std::ranges::find(names, kind, &Name::kind);
  return found == names.end() ? others : found->name;
}

const char* name_of_wait(const Lane& lane) {
  if (lane.state == LaneState::at_group_barrier) return name_of_group_wait(lane);
  if (lane.state == LaneState::at_phase)
    return lane.wait.kind == phase_of_tile ? "the barrier of its group" : "a cuda::barrier";
  if (lane.wait.kind == simt_warp_matrix && lane.state == LaneState::at_warp_sync)
    return matrix_wait(lane.wait).name;
  if (lane.state == LaneState::at_barrier) return name_of(barriers, lane.wait.kind, "__syncthreads()");
  return name_of(warp_operations, lane.wait.kind, "a warp shuffle");
}

} // namespace

Participant waiting(const Block& block, const Lane& lane) {
  Participant participant;
  participant.thread = thread_id(block, lane);
  if (lane.state == LaneState::spinning) {
    participant.polls = true;
    participant.where = code_address(lane.extras().poll.site);
  } else {
    participant.waits_at = name_of_wait(lane);
    participant.file = lane.wait.file;
    participant.line = static_cast<unsigned>(lane.wait.line);
  }
  return participant;
}

namespace {

/// A stand-in for a return address where a source line says more.
std::uintptr_t site_of_wait(const Lane& lane) {
  if (lane.state == LaneState::spinning) return lane.extras().poll.site;
  return site_of(lane.wait.file, lane.wait.line);
}

const Lane* find_lane(const Block& block, LaneState state) {
  for (const Lane& lane : block.lanes)
    if (lane.state == state) return &lane;
  return nullptr;
}

/// `lane` waits at a warp operation for lanes that never come there.
void report_missing_lanes(const Block& block, const Lane& lane) {
  const Warp& warp = block.warps[lane.thread / lanes_per_warp];
  const unsigned missing = missing_lanes(block, warp, lane);
  const unsigned first_missing = static_cast<unsigned>(std::countr_zero(missing));
  const Lane* other = first_missing < warp.size ? &block.lanes[warp.first + first_missing] : nullptr;
  const bool has_left = other && left_before(*other, lane);
  using Kind = FindingKind<fact::Lanes>;
  Finding diagnostic = diagnostic_of(lane.wait.kind == simt_warp_matrix ? Kind{"lanes-missing", "matrix"}
                                     : missing == 0                     ? Kind{"lanes-missing", "stuck"}
                                     : has_left                         ? Kind{"lanes-missing", "left"}
                                                                        : "lanes-missing",
                                     fact::Lanes{missing});
  diagnostic.participants.push_back(waiting(block, lane));
  if (has_left)
    diagnostic.participants.push_back(left_lane(block, *other));
  else if (other && other->state != LaneState::ready && other->state != LaneState::finished)
    diagnostic.participants.push_back(waiting(block, *other));
  record(std::move(diagnostic), site_of_wait(lane));
}

/// Whether the lane's loop reads what the host can write, and what no thread of the launch has written by a plain or a
/// volatile write.
bool waits_for_host(const Lane& lane) {
  const std::uintptr_t address = lane.extras().poll.address;
  return address != 0 && host_can_reach(address) && latest_write_of(address) == 0;
}

/// The lane waits for the host, or for a child grid that has not run: this finding, about its place, says so.
void report_wait_for_host(const Block& block, const Lane& lane) {
  const Place place = find_place(&block, lane.extras().poll.address);
  Finding diagnostic = has_open_launches(*block.grid)
                           ? diagnostic_at(place, {"waits-for-child", "not-started"})
                           : diagnostic_at(place, "waits-for-host");
  diagnostic.participants = {waiting(block, lane)};
  diagnostic.participants.front().polls = true;
  diagnostic.participants.front().waits_at.clear();
  diagnostic.participants.front().where = code_address(lane.extras().poll.site);
  record(std::move(diagnostic), lane.extras().poll.site);
}

/// A lane whose last access is the one that used up the steps, and reads what the host can write.
const Lane* waiting_for_host_at(std::uintptr_t site) {
  if (site == 0 || !machine.block) return nullptr;
  for (const Lane& lane : machine.block->lanes)
    if (lane.state != LaneState::finished && lane.extras().poll.site == site && waits_for_host(lane))
      return &lane;
  return nullptr;
}

/// `lane` waits for a phase of a cuda::barrier that does not end.
void report_endless_phase(const Block& block, const Lane& lane) {
  PhaseBarrier barrier;
  std::memcpy(&barrier, reinterpret_cast<const void*>(lane.wait.value), sizeof barrier);
  const fact::Amount missing{barrier.pending};
  const fact::Limit expected{barrier.expected};
  Finding diagnostic =
      lane.wait.kind == phase_of_tile
          ? diagnostic_of({"deadlock", "tile"}, missing, expected)
          : diagnostic_at(find_place(&block, lane.wait.value), {"deadlock", "phase"}, missing, expected);
  diagnostic.participants.push_back(waiting(block, lane));
  const auto other = std::ranges::find_if(block.lanes, [&](const Lane& l) {
    return l.state != LaneState::ready && l.state != LaneState::finished &&
           !(l.state == LaneState::at_phase && l.wait.value == lane.wait.value);
  });
  if (other != block.lanes.end()) diagnostic.participants.push_back(waiting(block, *other));
  record(std::move(diagnostic), site_of_wait(lane));
}

/// A lane of the warp whose round used up the steps, if all its lanes have come to an exchange or a barrier again: the loop
/// is the one around that, wherever the warp made its last access.
const Lane* come_again() {
  if (machine.lane || !machine.block || !machine.warp) return nullptr;
  const Lane* again = nullptr;
  for (unsigned i = 0; i < machine.warp->size; ++i) {
    const Lane& lane = machine.block->lanes[machine.warp->first + i];
    if (lane.state == LaneState::finished) continue;
    if (lane.state != LaneState::at_warp_sync && lane.state != LaneState::at_barrier) return nullptr;
    if (!again) again = &lane;
  }
  return again;
}

/// Who has not come to an end when the steps of a kernel are used up; no thread in host code.
std::vector<Participant> still_running(std::uintptr_t site) {
  if (machine.lane) return {running_thread(site)};
  if (!machine.block) return {};
  if (const Lane* spinning = find_lane(*machine.block, LaneState::spinning))
    return {waiting(*machine.block, *spinning)};
  const Lane* ready = find_lane(*machine.block, LaneState::ready);
  if (!ready) return {};
  Participant participant = running_thread(site);
  participant.thread = thread_id(*machine.block, *ready);
  return {participant};
}

} // namespace

void report_barrier_divergence(const Block& block, const Lane& first, const Lane& second) {
  const bool has_left = left_before(second, first);
  if (!has_left && left_before(first, second)) return report_barrier_divergence(block, second, first);
  Finding diagnostic =
      has_left ? diagnostic_of({"barrier-divergence", "left"}) : diagnostic_of("barrier-divergence");
  diagnostic.participants = {waiting(block, first),
                             has_left ? left_lane(block, second) : waiting(block, second)};
  record(std::move(diagnostic), site_of_wait(first), site_of_wait(second));
}

void report_skipped_barrier(const Block& block, const Lane& waits, const Lane& skipped,
                            const Branch& branch) {
  Finding diagnostic = diagnostic_of({"barrier-divergence", "skipped"});
  diagnostic.participants = {waiting(block, waits), lane_at_line(block, skipped, branch.file, branch.first)};
  record(std::move(diagnostic), site_of_wait(waits), site_of(branch.file, branch.first));
}

void report_uneven_loop(const Block& block, const Lane& waits, unsigned more, const Lane& left,
                        unsigned fewer, const Branch& loop) {
  const bool has_ended = left.state == LaneState::finished;
  Finding diagnostic = has_ended ? diagnostic_of({"barrier-divergence", "uneven-loop"})
                                 : diagnostic_of({"barrier-divergence", "uneven-loop-waits"});
  diagnostic.participants = {waiting(block, waits), has_ended
                                                        ? lane_at_line(block, left, loop.file, loop.first)
                                                        : waiting(block, left)};
  diagnostic.participants[0].visits = more;
  diagnostic.participants[1].visits = fewer;
  record(std::move(diagnostic), site_of_wait(waits),
         has_ended ? site_of(loop.file, loop.first) : site_of_wait(left));
}

void report_deadlock(const Block& block) {
  for (const Lane& lane : block.lanes)
    if (lane.state == LaneState::spinning && waits_for_host(lane)) return report_wait_for_host(block, lane);
  if (const Lane* lane = find_lane(block, LaneState::at_warp_sync)) return report_missing_lanes(block, *lane);
  if (const Lane* lane = find_lane(block, LaneState::at_phase)) return report_endless_phase(block, *lane);
  const Lane* spinning = find_lane(block, LaneState::spinning);
  if (spinning && has_open_launches(*block.grid)) return report_wait_for_host(block, *spinning);
  const Lane* at_barrier = find_lane(block, LaneState::at_barrier);
  Finding diagnostic = spinning ? diagnostic_of({"deadlock", "waiting-loop"}) : diagnostic_of("deadlock");
  for (const Lane* lane : {spinning, at_barrier})
    if (lane) diagnostic.participants.push_back(waiting(block, *lane));
  record(std::move(diagnostic), spinning ? site_of_wait(*spinning) : 0);
}

void report_absent_shuffle_source(const Block& block, const Lane& lane, unsigned source) {
  if (already_recorded("lanes-missing", site_of_wait(lane))) return;
  const unsigned first = lane.thread / lanes_per_warp * lanes_per_warp;
  const Lane* other = first + source < block.lanes.size() ? &block.lanes[first + source] : nullptr;
  const bool has_left = other && left_before(*other, lane);
  const bool has_returned =
      has_left || (other && other->state == LaneState::finished && other->extras().returned.file);
  const fact::Lanes asked{1u << source};
  Finding diagnostic = has_returned ? diagnostic_of({"lanes-missing", "source-returned"}, asked)
                                    : diagnostic_of({"lanes-missing", "source"}, asked);
  diagnostic.participants = {waiting(block, lane)};
  if (has_returned)
    diagnostic.participants.push_back(has_left ? left_lane(block, *other) : ended_lane(block, *other));
  record(std::move(diagnostic), site_of_wait(lane));
}

void report_step_budget(std::uintptr_t site) {
  if (const Lane* lane = waiting_for_host_at(site)) return report_wait_for_host(*machine.block, *lane);
  const Grid* grid = machine.grid;
  const fact::Crowded crowded{grid &&
                              volume(grid->extent) * volume(grid->block_extent) > max_cooperative_threads};
  Finding diagnostic =
      machine.options.budget_per_block
          ? diagnostic_of({"step-budget", "block"}, crowded, fact::Limit{machine.options.step_budget})
          : diagnostic_of("step-budget", crowded);
  const Lane* again = come_again();
  diagnostic.participants = again ? std::vector{lane_at_line(*machine.block, *again, again->wait.file,
                                                             static_cast<unsigned>(again->wait.line))}
                                  : still_running(site);
  record(std::move(diagnostic), again ? site_of_wait(*again) : site);
}

void report_too_much_work(std::uintptr_t site) {
  Finding diagnostic = diagnostic_of("too-much-work", fact::Limit{machine.options.work_budget});
  diagnostic.participants.push_back(running_thread(site));
  if (machine.block && machine.warp)
    diagnostic.participants.back().thread =
        thread_id(*machine.block, machine.block->lanes[machine.warp->first]);
  record(std::move(diagnostic), site);
}

void report_crash(FindingKind<> kind, std::uintptr_t address, std::uintptr_t site) {
  Finding diagnostic = diagnostic_of(kind);
  diagnostic.address = address;
  record_at(std::move(diagnostic), site);
}

} // namespace simt
