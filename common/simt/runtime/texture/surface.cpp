// Reads and writes of surfaces: the bytes of a texel, as they are. The x coordinate is in bytes.
#include "simt/diagnostics/diagnose_texture.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/texture/texel_access.hpp"
#include "simt/runtime/texture/texel_call.hpp"

#include <algorithm>
#include <cstring>

using namespace simt;

namespace {

/// Where a thread's access lies; null if it is outside and to be left out. Outside with cudaBoundaryModeTrap it ends the
/// kernel. Layers have to be there, as other coordinates.
void* locate(const TexelObject& object, const simt_texel_call& call, std::array<int, 3> at,
             cudaSurfaceBoundaryMode mode, std::uintptr_t site) {
  const TexelMemory& memory = object.memory;
  const int bytes = static_cast<int>(memory.format.bytes());
  if (at[0] % bytes != 0) {
    report_surface_coordinate({"surface-coordinate", "bytes"}, call, object, at, site);
    abandon_grid(cudaErrorMisalignedAddress);
  }
  const int largest[] = {static_cast<int>(memory.width) - 1, static_cast<int>(memory.height) - 1,
                         static_cast<int>(memory.depth) - 1};
  int texel[] = {at[0] / bytes, at[1], at[2]};
  bool is_inside = true;
  for (int d = 0; d < 3; ++d) is_inside &= texel[d] >= 0 && texel[d] <= largest[d];
  if (!is_inside) {
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode != cudaBoundaryModeClamp) {
      report_surface_coordinate("surface-coordinate", call, object, at, site);
      abandon_grid(cudaErrorLaunchFailure);
    }
    for (int d = 0; d < 3; ++d) texel[d] = std::clamp(texel[d], 0, largest[d]);
  }
  return reinterpret_cast<void*>(memory.address_of(static_cast<std::size_t>(texel[0]),
                                                   static_cast<std::size_t>(texel[1]),
                                                   static_cast<std::size_t>(texel[2])));
}

/// The texel that a call accesses, checked and counted; null if there is none.
void* access_surface(cudaSurfaceObject_t number, const simt_texel_call& call, std::array<int, 3> at,
                     cudaSurfaceBoundaryMode mode, Access access, std::uintptr_t site) {
  if (!machine.lane) used_outside_of_kernel(call.function);
  const TexelObject* object = object_for(number, call, true, site);
  if (!object) return nullptr;
  void* texel = locate(*object, call, at, mode, site);
  if (texel)
    access_texel(reinterpret_cast<std::uintptr_t>(texel), object->memory.format.bytes(), access,
                 Unit::surface, site);
  return texel;
}

} // namespace

extern "C" {

void __simt_read_surface(cudaSurfaceObject_t number, const simt_texel_call* call, int x, int y, int z,
                         cudaSurfaceBoundaryMode mode, void* to) {
  const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const void* texel = access_surface(number, *call, {x, y, z}, mode, Access::read, site);
  const auto bytes = static_cast<std::size_t>(call->channels * call->channel_bytes);
  if (texel)
    std::memcpy(to, texel, bytes);
  else
    std::memset(to, 0, bytes);
}

void __simt_write_surface(cudaSurfaceObject_t number, const simt_texel_call* call, int x, int y, int z,
                          cudaSurfaceBoundaryMode mode, const void* from) {
  const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  void* texel = access_surface(number, *call, {x, y, z}, mode, Access::write, site);
  if (texel) std::memcpy(texel, from, static_cast<std::size_t>(call->channels * call->channel_bytes));
}
}
