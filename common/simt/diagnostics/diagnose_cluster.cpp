// Diagnostics about clusters and cooperative grids.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/diagnostics/parts.hpp"
#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/memory/place.hpp"

namespace simt {

namespace {

std::string group(int scope) { return scope == simt_group_cluster ? "cluster" : "grid"; }
std::string sync(int scope) { return group(scope) + ".sync()"; }

const Arrival& arrival_of(const Block& block, const Lane& lane, int scope) {
  return block.arrivals[lane.thread][static_cast<std::size_t>(scope)];
}

bool has_arrived(const Block& block, const Lane& lane, int scope) {
  return !block.arrivals.empty() && arrival_of(block, lane, scope).pending;
}

/// The place of a remote access, with the block whose memory it is.
Place remote_place(Diagnostic& diagnostic, std::uintptr_t address) {
  Place place = find_place(machine.block, address);
  if (place.variable.empty()) place.variable = "the shared memory of another block";
  locate(diagnostic, place);
  return place;
}

} // namespace

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
  if (!lane) return report_deadlock(*resident.front());
  int scope = lane->wait.kind;
  const std::vector<Block*>& members = scope == simt_group_cluster ? block->cluster->blocks : grid.windows;
  std::uint64_t missing = 0, ended = 0;
  const Block* other_block = nullptr;
  const Lane* other = nullptr;
  for (const Block* b : members) {
    for (const Lane& l : b->lanes) {
      if (has_arrived(*b, l, scope)) continue;
      if (l.state == LaneState::finished) {
        ++ended;
        continue;
      }
      ++missing;
      if (!other) other_block = b, other = &l;
    }
  }
  Diagnostic diagnostic = diagnostic_of("deadlock");
  diagnostic.participants = {waiting(*block, *lane)};
  std::string text = std::string("Threads wait for ever at ") + name_of_group_wait(*lane) + ": ";
  if (other) {
    diagnostic.participants.push_back(waiting(*other_block, *other));
    diagnostic.message = text + std::to_string(missing) + " unfinished thread" + (missing == 1 ? "" : "s") +
                         " of the " + group(scope) + " never arrive" + (missing == 1 ? "s" : "") + " there.";
  } else {
    diagnostic.message = text + std::to_string(ended) + " thread" + (ended == 1 ? "" : "s") + " of the " +
                         group(scope) + " ended without arriving there.";
  }
  diagnostic.suggestion =
      "let every thread of the " + group(scope) + " reach the same " + sync(scope) +
      " calls: keep conditions and early returns around the work, not around the barrier.";
  record(std::move(diagnostic), site_of(lane->wait.file, lane->wait.line));
}

void report_cluster_not_started(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  if (already_recorded("cluster-not-started", site)) return;
  Diagnostic diagnostic = diagnostic_of("cluster-not-started");
  Place place = remote_place(diagnostic, address);
  diagnostic.message = "A thread " + access_text(access, size) + " of " + place.text() +
                       " before it can know that this block has started: the blocks of a cluster run at the "
                       "same time, but they do not start at the same moment.";
  diagnostic.participants = {accessing_thread(access, size, access_text(access, size) + " of it", site)};
  diagnostic.suggestion = "call cluster.sync() before the first access to another block's shared memory, "
                          "after every block has initialised its own.";
  record(std::move(diagnostic), site);
}

void report_cluster_left(const Block& owner, const Lane& lane, const Block& user, const RemoteUse& use) {
  if (already_recorded("cluster-left-early", use.stamp.site())) return;
  Diagnostic diagnostic = diagnostic_of("cluster-left-early");
  Place place = remote_place(diagnostic, use.address);
  diagnostic.message = "Block " + block_text(owner) +
                       " may end while another block of its cluster still uses " + place.variable +
                       place.index +
                       " in its shared memory, which then belongs to nobody. The device ends such a kernel "
                       "with an error, or uses wrong values.";
  const Lane& accessing = user.lanes[use.stamp.thread() % max_threads_per_block];
  Participant first =
      accessing_thread(use.access, use.size, access_text(use.access, use.size) + " of it", use.stamp.site());
  first.thread = thread_id(user, accessing);
  Participant second;
  second.action = "ends, with nothing that makes it wait for that";
  second.thread = thread_id(owner, lane);
  diagnostic.participants = {first, second};
  diagnostic.suggestion =
      "call cluster.sync() after the last access to another block's shared memory, in every "
      "block, before any of its threads returns.";
  record(std::move(diagnostic), use.stamp.site());
}

void report_cluster_rank(unsigned rank, const Caller& caller) {
  Diagnostic diagnostic = diagnostic_of("cluster-rank");
  const simt_index3& extent = machine.grid->cluster_extent;
  unsigned blocks = extent.x * extent.y * extent.z;
  diagnostic.rank = {rank, blocks};
  diagnostic.message = "A thread asks for the shared memory of block rank " + std::to_string(rank) +
                       ", and its cluster has " + plural(blocks, "block") +
                       (blocks == 1 ? " (the launch gives no cluster size)." : ".");
  if (blocks > 1) diagnostic.message += " Ranks go from 0 to " + std::to_string(blocks - 1) + ".";
  diagnostic.participants = {at_line("calls map_shared_rank()", caller.file, caller.line)};
  diagnostic.suggestion =
      blocks == 1
          ? "launch with cudaLaunchKernelEx and cudaLaunchAttributeClusterDimension, or give the kernel "
            "__cluster_dims__."
          : "compute the rank modulo cluster.num_blocks(), or check it against that.";
  record(std::move(diagnostic), site_of(caller.file, caller.line));
}

void report_cluster_address(const void* address, const char* function, const Caller& caller) {
  Diagnostic diagnostic = diagnostic_of("cluster-address");
  std::uintptr_t place = reinterpret_cast<std::uintptr_t>(address);
  Place known = find_place(machine.block, place);
  locate(diagnostic, known);
  diagnostic.message = std::string("A thread gives ") + function +
                       " an address that is not in shared memory" +
                       (known.variable.empty() ? "." : ": it is in " + known.text() + ".");
  diagnostic.participants = {at_line(std::string("calls ") + function, caller.file, caller.line)};
  diagnostic.suggestion = "pass the address of a __shared__ variable of the calling block.";
  record(std::move(diagnostic), site_of(caller.file, caller.line));
}

void report_arrive_twice(int scope, const Caller& caller) {
  Diagnostic diagnostic = diagnostic_of("barrier-arrive-without-wait");
  const Arrival& arrival = arrival_of(*machine.block, *machine.lane, scope);
  diagnostic.message = "A thread arrives at the barrier of its " + group(scope) +
                       " again without having waited for its last arrival: what the barrier does then is "
                       "undefined.";
  diagnostic.participants = {at_line("arrived first", arrival.file, arrival.line),
                             at_line("arrives again", caller.file, caller.line)};
  diagnostic.suggestion =
      "let every barrier_arrive() be followed by one barrier_wait(); " + sync(scope) + " does both.";
  record(std::move(diagnostic), site_of(arrival.file, arrival.line), site_of(caller.file, caller.line));
}

void report_arrive_without_wait(const Block& block, const Lane& lane, int scope) {
  Diagnostic diagnostic = diagnostic_of("barrier-arrive-without-wait");
  const Arrival& arrival = arrival_of(block, lane, scope);
  diagnostic.message =
      "A thread arrives at the barrier of its " + group(scope) + " and ends without having waited there.";
  diagnostic.participants = {
      lane_at_line(block, lane, "arrives, and never waits", arrival.file, arrival.line)};
  diagnostic.suggestion = "call barrier_wait() where the results of the others are needed, and before the "
                          "kernel ends; " +
                          sync(scope) + " arrives and waits.";
  record(std::move(diagnostic), site_of(arrival.file, arrival.line));
}

void report_wait_without_arrive(int scope, const Caller& caller) {
  Diagnostic diagnostic = diagnostic_of("barrier-wait-without-arrive");
  diagnostic.message = "A thread waits at the barrier of its " + group(scope) +
                       " without having arrived there: it waits for nothing, or for ever.";
  diagnostic.participants = {at_line("waits", caller.file, caller.line)};
  diagnostic.suggestion = "call barrier_arrive() first, in every thread; " + sync(scope) + " does both.";
  record(std::move(diagnostic), site_of(caller.file, caller.line));
}

void report_grid_sync_alone(const Caller& caller) {
  Diagnostic diagnostic = diagnostic_of("grid-sync-not-cooperative");
  diagnostic.message =
      "grid.sync() is called in a kernel that was launched the ordinary way. Its blocks need "
      "not be resident together, so they cannot wait for each other; the device ends the "
      "kernel with an error.";
  diagnostic.participants = {at_line("calls it", caller.file, caller.line)};
  diagnostic.suggestion = "launch with cudaLaunchCooperativeKernel, or with cudaLaunchKernelEx and "
                          "cudaLaunchAttributeCooperative; or end the kernel here and launch a second one.";
  record(std::move(diagnostic), site_of(caller.file, caller.line));
}

} // namespace simt
