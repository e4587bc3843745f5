// Diagnostics about textures and surfaces; see diagnose.hpp.
#pragma once

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/texture/texel_object.hpp"

namespace simt {

using TexelKind = FindingKind<fact::Subject, fact::Amount, Texels>;
/// A call of the running lane that its object does not fit.
void report_texel_call(TexelKind kind, const simt_texel_call& call, const TexelObject& object,
                       std::uintptr_t site);

/// An index of tex1Dfetch that leads out of its linear memory.
void report_texture_index(std::int64_t index, const TexelObject& object, std::uintptr_t site);

/// Coordinates of a surface, as many as it has, that lead out of it, or whose x is within a texel of `bytes` bytes.
void report_surface_coordinate(TexelKind kind, const simt_texel_call& call, const TexelObject& object,
                               std::array<int, 3> coordinates, std::uintptr_t site);

/// The running lane accesses through a texture or surface what its kernel also uses in another way, at least one of the two
/// a write.
void report_texture_written(Mark earlier, Access earlier_access, std::uintptr_t address, unsigned size,
                            Access access, std::uintptr_t site);

} // namespace simt
