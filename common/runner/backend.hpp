#pragma once
/// The few things in which the two runners differ. Everything else is written once against the CUDA
/// runtime API, which the simulator implements too.

#include <cstddef>
#include <string>

#include "call/call.hpp"
#include "runner/confine.hpp"

namespace warpbook::backend {

/// "sim" or "cuda".
const char* name();

/// JSON for `runner --probe`: {"available", "reason", "device", "compute_capability": [major, minor], ...}.
std::string probe();

/// What a submission may take from the machine besides device memory.
Allowance allowance();

/// Before a call's buffers are allocated.
void begin_call(const Call& call);

/// Of the block at `base`, only `bytes` bytes from `offset` on belong to the buffer. The simulator
/// reports accesses to the rest; on a GPU the guard zones have to do.
void describe(void* base, std::size_t offset, const BufferArgument& buffer);

/// What the backend counted and diagnosed since the call began, as JSON, or an empty string.
std::string take_report();

/// Whether the event times of this backend mean anything.
bool measures_time();

} // namespace warpbook::backend
