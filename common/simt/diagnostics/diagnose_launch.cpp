// Diagnostics about launches by device code.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/diagnostics/parts.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/schedule/launch_order.hpp"

namespace simt {

namespace {

Finding device_launch(FindingKind kind, const simt_launch_site& site) {
  Finding diagnostic = diagnostic_of(kind);
  diagnostic.subject = site.kernel;
  return diagnostic;
}

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

void report_unchecked_launch(const simt_launch_site& site, Refused refused) {
  if (already_recorded("unchecked-launch", site_of(site.file, site.line))) return;
  Finding diagnostic = device_launch({"unchecked-launch", "in-kernel"}, site);
  diagnostic.refused = std::move(refused);
  record_at(std::move(diagnostic), site.file, site.line);
}

void report_private_pointer(const simt_launch_site& site, std::uintptr_t address) {
  Finding diagnostic = in_arena(address) ? device_launch({"private-pointer-to-child", "shared-memory"}, site)
                                         : device_launch("private-pointer-to-child", site);
  if (in_arena(address)) static_cast<Place&>(diagnostic) = find_place(machine.block, address);
  record_at(std::move(diagnostic), site.file, site.line);
}

void report_endless_launches(const simt_launch_site& site, std::uint64_t grids) {
  Finding diagnostic = device_launch({"step-budget", "launches"}, site);
  diagnostic.amount = grids;
  record_at(std::move(diagnostic), site.file, site.line);
}

} // namespace simt
