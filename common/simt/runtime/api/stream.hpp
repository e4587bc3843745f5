// Streams that the host has created.
#pragma once

#include "driver_types.h"

namespace simt {

/// Whether host code may use the handle: one of the default streams, or one that is created and not
/// destroyed.
bool is_stream(cudaStream_t stream);

} // namespace simt
