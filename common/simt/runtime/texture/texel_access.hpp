// One access of the running lane to a texel in device memory: is it valid, does it race, how is it counted.
#pragma once

#include "simt/runtime/machine/counting.hpp"

namespace simt {

/// `part` tells the texels of one fetch apart.
void access_texel(std::uintptr_t address, unsigned size, Access access, Unit unit, std::uintptr_t site,
                  unsigned part = 0);

/// Whether a call site fetches from textures or uses surfaces.
bool is_texel_site(std::uintptr_t site);

} // namespace simt
