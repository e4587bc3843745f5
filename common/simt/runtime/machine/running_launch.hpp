#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// Between these two the launch counts as running_launch()'s. `site` has to stay until the second one.
void begin_launch(const Grid& grid, const simt_launch_site& site);
/// Calls what stop_running_kernel() was given, if it was called.
void end_launch();

/// Whether stop_running_kernel() was called.
inline bool is_stopping() { return machine.is_stopping.load(std::memory_order_relaxed); }

} // namespace simt
