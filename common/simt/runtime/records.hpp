// Kernel records, until a report takes them.
#pragma once

#include "simt/runtime/machine.hpp"

namespace simt {

/// Completes the record of a grid that has run and keeps it.
void finish_record(Grid& grid);

} // namespace simt
