// Diagnostics about clusters and cooperative grids.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/memory/place.hpp"

namespace simt {

namespace {

const Arrival& arrival_of(const Block& block, const Lane& lane, int scope) {
  return block.arrivals[lane.thread][static_cast<std::size_t>(scope)];
}

bool has_arrived(const Block& block, const Lane& lane, int scope) {
  return !block.arrivals.empty() && arrival_of(block, lane, scope).pending;
}

} // namespace

fact::Group group_of(int scope) { return {scope == simt_group_cluster ? "cluster" : "grid"}; }

const char* name_of_group_wait(const Lane& lane) {
  if (lane.wait.kind == simt_group_cluster)
    return lane.wait.predicate ? "cluster.sync()" : "cluster.barrier_wait()";
  return lane.wait.predicate ? "grid.sync()" : "grid.barrier_wait()";
}

void report_group_deadlock(const Grid& grid, const std::vector<Block*>& resident) {
  const Block* block = nullptr;
  const Lane* lane = nullptr;
  for (const Block* b : resident)
    for (const Lane& l : b->lanes)
      if (l.state == LaneState::at_group_barrier && !lane) block = b, lane = &l;
  if (!lane) {
    for (const Block* b : resident)
      for (const Lane& l : b->lanes)
        if (l.state == LaneState::at_phase) return report_deadlock(*b);
    return report_deadlock(*resident.front());
  }
  int scope = lane->wait.kind;
  const std::vector<Block*>& members = scope == simt_group_cluster ? block->cluster->blocks : grid.windows;
  std::uint64_t missing = 0, ended = 0;
  std::optional<Participant> other, gone;
  for (const Block* b : members) {
    for (const Lane& l : b->lanes) {
      if (has_arrived(*b, l, scope)) continue;
      if (l.state == LaneState::finished) {
        ++ended;
        if (!gone) gone = ended_lane(*b, l);
        continue;
      }
      ++missing;
      if (!other) other = waiting(*b, l);
    }
  }
  Finding diagnostic =
      other ? diagnostic_of({"deadlock", "group-incomplete"}, group_of(scope), fact::Amount{missing})
            : diagnostic_of({"deadlock", "group-ended"}, group_of(scope), fact::Amount{ended});
  diagnostic.participants = {waiting(*block, *lane)};
  if (!other) other = gone;
  if (other) diagnostic.participants.push_back(*other);
  record(std::move(diagnostic), site_of(lane->wait.file, lane->wait.line));
}

void report_cluster_left(const Block& owner, const Lane& lane, const Block& user, const RemoteUse& use) {
  if (already_recorded("cluster-left-early", use.stamp.site())) return;
  // Of a block that ends in two ways the `return` comes too early, and not the kernel's end.
  const Lane* returned = returned_lane(owner);
  Finding diagnostic = diagnostic_at(find_place(machine.block, use.address),
                                     returned ? FindingKind{"cluster-left-early", "returned"}
                                              : FindingKind("cluster-left-early"));
  Participant accessing = accessing_thread(use.access, use.size, use.stamp.site());
  accessing.thread = thread_id(user, user.lanes[use.stamp.thread() % max_threads_per_block]);
  diagnostic.participants = {accessing, ended_lane(owner, returned ? *returned : lane)};
  record(std::move(diagnostic), use.stamp.site());
}

void report_arrive_twice(int scope, const char* file, int line) {
  Finding diagnostic = diagnostic_of({"barrier-arrive-without-wait", "twice"}, group_of(scope));
  const Arrival& arrival = arrival_of(*machine.block, *machine.lane, scope);
  diagnostic.participants = {at_line(arrival.file, arrival.line), at_line(file, line)};
  record(std::move(diagnostic), site_of(arrival.file, arrival.line), site_of(file, line));
}

void report_arrive_without_wait(const Block& block, const Lane& lane, int scope) {
  Finding diagnostic = diagnostic_of("barrier-arrive-without-wait", group_of(scope));
  const Arrival& arrival = arrival_of(block, lane, scope);
  diagnostic.participants = {lane_at_line(block, lane, arrival.file, arrival.line)};
  record(std::move(diagnostic), site_of(arrival.file, arrival.line));
}

} // namespace simt
