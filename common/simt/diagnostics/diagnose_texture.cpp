#include "simt/diagnostics/diagnose_texture.hpp"

#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/schedule/order.hpp"

#include <utility>

namespace simt {

void report_texel_call(TexelKind kind, const simt_texel_call& call, const TexelObject& object,
                       std::uintptr_t site) {
  report(kind, site, fact::Subject{call.function},
         fact::Amount{static_cast<std::uint64_t>(call.channels) *
                      static_cast<std::uint64_t>(call.channel_bytes)},
         texels_of(object));
}

void report_texture_index(std::int64_t index, const TexelObject& object, std::uintptr_t site) {
  if (already_recorded("texture-index", site)) return;
  Finding diagnostic =
      diagnostic_at(find_place(machine.block, object.memory.begin), "texture-index", texels_of(object));
  diagnostic.element = {index};
  diagnostic.byte = 0;
  record_access(std::move(diagnostic), object.memory.format.bytes(), Access::read, site);
}

void report_surface_coordinate(TexelKind kind, const simt_texel_call& call, const TexelObject& object,
                               std::array<int, 3> coordinates, std::uintptr_t site) {
  if (already_recorded(kind.wording->id, site)) return;
  const Texels texels = texels_of(object);
  Finding diagnostic =
      diagnostic_of(kind, fact::Subject{call.function}, fact::Amount{object.memory.format.bytes()}, texels);
  for (std::size_t i = 0; i < 3; ++i)
    if (i == 0 || texels.extents[i] != 0) diagnostic.element.push_back(coordinates[i]);
  record_at(std::move(diagnostic), site);
}

void report_texture_written(Mark earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                            Access access, std::uintptr_t site) {
  const std::uintptr_t earlier_site = site_of_number(site_number_of(earlier));
  if (already_recorded("texture-written", earlier_site, site)) return;
  Finding diagnostic = diagnostic_at(find_place(machine.block, address), "texture-written");
  diagnostic.participants = racing_threads(earlier_access, earlier_site, access, size, site);
  diagnostic.participants[0].thread = thread_of(earlier);
  record(std::move(diagnostic), earlier_site, site);
}

} // namespace simt
