#include "simt/runtime/texture/texel_access.hpp"

#include "simt/diagnostics/diagnose_texture.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/memory_access.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/schedule/order.hpp"

#include <unordered_set>

namespace simt {

namespace {

std::unordered_set<std::uintptr_t> texel_sites;

void note_site(std::uintptr_t site) {
  static std::uintptr_t latest = 0;
  if (site == latest) return;
  texel_sites.insert(site);
  latest = site;
}

/// A write by the running kernel itself, even if it happened before: what reads through the texture path may not see it.
/// What a parent grid has written before the launch is seen.
bool reads_own_write(std::uintptr_t address, unsigned size, std::uintptr_t site) {
  Mark write = latest_write_of(address);
  if (write == 0) write = latest_write_of(address + size - 1);
  if (write == 0 || segment_of(write) < segment_table.first || grid_of(write) != machine.grid->number)
    return false;
  report_texture_written(write, Access::write, address, size, Access::read, site);
  return true;
}

} // namespace

void access_texel(std::uintptr_t address, unsigned size, Access access, Unit unit, std::uintptr_t site,
                  unsigned part) {
  note_site(site);
  if (in_arena(address) && !all_written(address, size)) unwritten_access(address, size, access, site, true);
  log_access(address, size, Space::global, access, site, part);
  warp_log.previous->unit = unit;
  if (access == Access::read && reads_own_write(address, size, site)) return;
  check_global_race(address, size, access, 0, site);
}

bool is_texel_site(std::uintptr_t site) { return texel_sites.contains(site); }

} // namespace simt
