// Calls of functions for textures and surfaces: whether the object fits them.
#pragma once

#include "simt/runtime/texture/texel_object.hpp"

namespace simt {

/// The object that a thread names in a call, if the call fits it; else that is reported, and there is none.
const TexelObject* object_for(unsigned long long number, const simt_texel_call& call, bool surface,
                              std::uintptr_t site);

} // namespace simt
