// Kernel records, until a report takes them.
#pragma once

#include "simt/runtime/machine/machine.hpp"

namespace simt {

/// Completes the record of a grid of the host that has run, and keeps it with those of its child grids.
void finish_record(Grid& grid);

} // namespace simt
