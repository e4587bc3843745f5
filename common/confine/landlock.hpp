#pragma once

#include "confine/confinement.hpp"

namespace warpbook {

/// The version of Landlock that this kernel has; 0 if none.
int landlock_version();

/// Limits files, TCP, and signals and sockets that lead out, as far as the kernel's version does. Returns that version,
/// or 0 if nothing was limited.
int apply_landlock(const Confinement& confinement);

} // namespace warpbook
