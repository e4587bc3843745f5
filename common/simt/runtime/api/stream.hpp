// Streams that the host has created.
#pragma once

#include "simt/runtime/graph/capture.hpp"

#include "driver_types.h"

#include <cstdint>

namespace simt {

/// Whether host code may use the handle: one of the default streams, or one that is created and not
/// destroyed. If not, that is why the call fails that is being made (note_reason).
bool is_stream(cudaStream_t stream);
/// As issue_into(), for host code that may have no such stream.
Issued issue_if_stream(cudaStream_t stream);
/// The call that has destroyed it; 0 if there is none, or it is long ago.
std::uintptr_t where_destroyed(cudaStream_t stream);

/// Whether the stream and the legacy one wait for each other.
bool is_blocking(cudaStream_t stream);

/// Its number among those whose work is kept (unfinished.hpp).
unsigned number_of(cudaStream_t stream);

/// As is_stream.
bool is_event(cudaEvent_t event);
/// Work in the stream of IntoStream: the event comes, or is waited for.
void record_now(cudaEvent_t event);
void wait_now(cudaEvent_t event);

} // namespace simt
