// Diagnostics about launches by device code.
#include "simt/runtime/device_launch.hpp"
#include "simt/runtime/diagnose.hpp"
#include "simt/runtime/global_memory.hpp"
#include "simt/runtime/launch_order.hpp"
#include "simt/runtime/place.hpp"

namespace simt {

namespace {

Diagnostic begin(const char* id, const simt_launch_site& site) {
  Diagnostic diagnostic;
  diagnostic.id = id;
  diagnostic.kernel = machine.grid->record.name;
  Participant participant;
  participant.action = std::string("launches ") + site.kernel;
  participant.thread = thread_id(*machine.block, *machine.lane);
  participant.file = site.file;
  participant.line = static_cast<unsigned>(site.line);
  diagnostic.participants = {participant};
  return diagnostic;
}

std::uintptr_t key_of(const simt_launch_site& site) {
  return reinterpret_cast<std::uintptr_t>(site.file) + static_cast<std::uintptr_t>(site.line);
}

bool descends_from(std::uint32_t grid, std::uint32_t ancestor) {
  for (; grid != ancestor; grid = facts_of(grid).parent)
    if (grid == 0) return false;
  return true;
}

} // namespace

std::string grids_in_conflict(std::uint32_t other) {
  const std::uint32_t own = machine.grid->number;
  auto named = [](const char* what, std::uint32_t grid) { return what + (" " + facts_of(grid).kernel); };
  auto child = [](std::uint32_t grid, std::uint32_t ancestor) {
    return facts_of(grid).parent == ancestor ? "its child grid" : "its descendant grid";
  };
  if (descends_from(own, other)) return named("The grid", other) + " and " + named(child(own, other), own);
  if (descends_from(other, own)) return named("The grid", own) + " and " + named(child(other, own), other);
  return named("The child grids", other) + " and " + facts_of(own).kernel;
}

std::string place_of_grid(std::uint32_t grid, std::uint32_t other) {
  const bool related = descends_from(grid, other) || descends_from(other, grid);
  const std::uint32_t parent = facts_of(grid).parent, others = facts_of(other).parent;
  const std::string depth = " (depth " + std::to_string(facts_of(grid).depth) + ")";
  if (!related)
    return (parent == others && grid > other ? ", in a later child grid" : ", in a child grid") + depth;
  if (descends_from(other, grid)) return (others == grid ? ", in the parent" : ", in the ancestor") + depth;
  return (parent == other ? ", in its child grid" : ", in its descendant") + depth;
}

unsigned depth_of_grid(std::uint32_t grid) { return facts_of(grid).depth; }

std::string cure_of_grid_race(std::uint32_t other) {
  const std::uint32_t own = machine.grid->number;
  if (descends_from(own, other))
    return "a child sees what the launching thread wrote or knew of before the launch: put __syncthreads() "
           "before the launch if other threads of the block wrote it, and launch into cudaStreamTailLaunch "
           "if "
           "other blocks do; let the parent leave the data alone after the launch.";
  if (descends_from(other, own))
    return "if this access belongs before the launch, put __syncthreads() before the launch; if it needs the "
           "child's results, launch it as a kernel into cudaStreamTailLaunch, because device code cannot "
           "wait "
           "for a child.";
  return "if each of the two is to work on data of its own, look at what the launch passes to it, and at how "
         "many "
         "threads come to the launch; if they are to share data, launch both into the same stream of one "
         "block, "
         "or the later one into cudaStreamTailLaunch, so that one waits for the other.";
}

void report_unchecked_launch(const simt_launch_site& site, const std::string& error, const Refusal& refusal) {
  if (already_recorded("unchecked-launch", key_of(site))) return;
  Diagnostic diagnostic = begin("unchecked-launch", site);
  diagnostic.message = "A launch by device code failed with " + error + ": " + refusal.reason +
                       ". The child grid does not run, and the thread that launched it ended without asking "
                       "for the error.";
  diagnostic.notes = {"the host does not learn of it: device code has to check its own launches"};
  diagnostic.refused = refusal.fact();
  diagnostic.suggestion =
      refusal.suggestion + " In any case check cudaGetLastError() after a launch in a kernel.";
  record(std::move(diagnostic), key_of(site));
}

void report_private_pointer(const simt_launch_site& site, std::uintptr_t address) {
  Diagnostic diagnostic = begin("private-pointer-to-child", site);
  if (in_arena(address)) {
    Place place = find_place(machine.block, address);
    locate(diagnostic, place);
    diagnostic.message = "A child grid is passed a pointer to the shared memory of its parent's block" +
                         (place.variable.empty() ? std::string() : " (" + place.text() + ")") +
                         ". Shared memory belongs to one block alone: on a device the child fails with "
                         "cudaErrorInvalidAddressSpace when it uses the pointer.";
  } else {
    diagnostic.message =
        "A child grid is passed a pointer to a local variable of the thread that launches it. "
        "Local memory belongs to one thread alone: on a device the child fails with "
        "cudaErrorInvalidAddressSpace when it uses the pointer.";
  }
  diagnostic.suggestion = "pass the value itself, or put the data into global memory before the launch.";
  record(std::move(diagnostic), key_of(site));
}

void report_endless_launches(const simt_launch_site& site, std::uint64_t grids) {
  Diagnostic diagnostic = begin("step-budget", site);
  diagnostic.message = "One launch by the host has led to " + plural(grids, "child grid") +
                       ": the recursion probably never ends.";
  diagnostic.suggestion = "check the condition under which a kernel launches another one.";
  record(std::move(diagnostic), key_of(site));
}

} // namespace simt
