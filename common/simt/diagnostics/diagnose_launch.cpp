// Diagnostics about launches by device code.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/schedule/launch_order.hpp"
#include "simt/runtime/schedule/order.hpp"

namespace simt {

namespace {

bool descends_from(std::uint32_t grid, std::uint32_t ancestor) {
  for (; grid != ancestor; grid = facts_of(grid).parent)
    if (grid == 0) return false;
  return true;
}

Kin kin_of(std::uint32_t grid, std::uint32_t other) {
  const std::uint32_t parent = facts_of(grid).parent, others = facts_of(other).parent;
  if (descends_from(other, grid)) return others == grid ? Kin::parent : Kin::ancestor;
  if (descends_from(grid, other)) return parent == other ? Kin::child : Kin::descendant;
  return parent == others && grid > other ? Kin::later_relative : Kin::relative;
}

} // namespace

void tell_grid(Participant& participant, std::uint32_t grid, std::uint32_t other) {
  participant.depth = facts_of(grid).depth;
  participant.kernel = facts_of(grid).kernel;
  participant.kin = kin_of(grid, other);
}

void report_wait_for_child(std::uintptr_t address, std::uintptr_t site) {
  const std::uint32_t own = machine.grid->number;
  Mark written = latest_write_of(address);
  if (written == 0 || grid_of(written) == own) written = latest_update_of(address);
  const std::uint32_t other = written == 0 ? own : grid_of(written);
  if (other == own || already_recorded("waits-for-child", site)) return;
  std::vector<Participant> parties = {running_thread(site),
                                      running_thread(site_of_number(site_number_of(written)))};
  parties[0].polls = true;
  parties[1].thread = thread_of(written);
  tell_grid(parties[0], own, other);
  tell_grid(parties[1], other, own);
  if (!is_descendant(parties[1])) return;
  Finding diagnostic = diagnostic_at(find_place(machine.block, address), "waits-for-child");
  diagnostic.participants = std::move(parties);
  record(std::move(diagnostic), site);
}

void report_private_pointer(const simt_launch_site& site, std::uintptr_t address) {
  const fact::Subject child{site.kernel};
  record_at(in_arena(address) ? diagnostic_at(find_place(machine.block, address),
                                              {"private-pointer-to-child", "shared-memory"}, child)
                              : diagnostic_of("private-pointer-to-child", child),
            site.file, site.line);
}

} // namespace simt
