#pragma once

#include "confine/confinement.hpp"

namespace warpbook {

/// Filters system calls; `landlock` is the version that is in force. Returns whether the kernel took the filter.
bool apply_filter(const Confinement& confinement, int landlock);

} // namespace warpbook
