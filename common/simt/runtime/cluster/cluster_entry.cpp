// The entry points of device code that concern clusters and cooperative grids.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/memory/shared_memory.hpp"
#include "simt/runtime/schedule/control.hpp"

using namespace simt;

namespace {

/// Ends the kernel if its launch does not allow the barrier.
void require_group(int scope, const char* file, int line) {
  require_kernel(scope == simt_group_grid ? "grid.sync()" : "cluster.sync()");
  if (scope != simt_group_grid || machine.grid->cooperative) return;
  report("grid-sync-not-cooperative", file, line);
  abandon_grid(cudaErrorLaunchFailure);
}

std::size_t offset_in_arena(const void* address, const char* function, const char* file, int line) {
  std::uintptr_t place = reinterpret_cast<std::uintptr_t>(address);
  if (!in_shared(place)) {
    record_at(diagnostic_at(find_place(machine.block, place), "cluster-address", fact::Subject{function}),
              file, line);
    abandon_grid(cudaErrorLaunchFailure);
  }
  return place - machine.arena;
}

} // namespace

extern "C" {

void __simt_group_sync(int scope, const char* file, int line) {
  require_group(scope, file, line);
  if (machine.lane->has_extras())
    machine.lane->change_extras().left = {}; // no finding about its wait asks for it
  group_sync(scope, file, line);
}
void __simt_group_arrive(int scope, const char* file, int line) {
  require_group(scope, file, line);
  group_arrive(scope, file, line);
}
void __simt_group_wait(int scope, const char* file, int line) {
  require_group(scope, file, line);
  group_wait(scope, file, line);
}

bool __simt_grid_is_cooperative(void) {
  require_kernel("this_grid()");
  return machine.grid->cooperative;
}

simt_index3 __simt_cluster_extent(void) {
  require_kernel("this_cluster()");
  return machine.grid->cluster_extent;
}

void* __simt_map_shared(const void* address, unsigned rank, const char* file, int line) {
  require_kernel("map_shared_rank()");
  std::size_t offset = offset_in_arena(address, "map_shared_rank()", file, line);
  const Cluster* cluster = machine.block->cluster;
  if (rank >= (cluster ? cluster->blocks.size() : 1)) {
    report("cluster-rank", file, line, fact::Rank{{rank, volume(machine.grid->cluster_extent)}});
    abandon_grid(cudaErrorLaunchFailure);
  }
  const Block& owner = cluster ? *cluster->blocks[rank] : *machine.block;
  return reinterpret_cast<void*>(owner.shared_base + offset % shared_window);
}

unsigned __simt_query_shared(const void* address, const char* file, int line) {
  require_kernel("query_shared_rank()");
  offset_in_arena(address, "query_shared_rank()", file, line);
  return shared_owner(reinterpret_cast<std::uintptr_t>(address)).rank;
}

} // extern "C"
