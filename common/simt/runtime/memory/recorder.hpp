// Records a Trace of what kernels do with memory. Nothing of this costs anything unless Options::trace is set. take_trace() (simt.hpp)
// hands it over.
#pragma once

#include "simt/runtime/machine/counting.hpp"
#include "simt/trace/trace.hpp"

namespace simt {

/// The lanes' accesses of one request of the running warp.
void record_request(const LogEntry& entry);

/// A grid begins or ends.
void record_grid(Grid& grid);

/// Lanes of `block` wait at its barrier of this scope, of which `phase` were completed before: it ends, or never will.
void record_barrier(const Block& block, TracedStep::Scope scope, std::uint64_t phase, bool ended = true);

/// A value that lanes of a warp (one bit for each) pass to each other through registers, or all threads of the running
/// block, where `warp` is null.
void record_exchange(const Block& block, const Warp* warp, std::uint32_t lanes);

/// The running thread, which launches a grid.
TracedThread record_launcher();

/// The host reads from, or writes to, device memory; `kind` says what: overwritten or cleared.
void record_host_read();
void record_host_write(std::uintptr_t address, std::size_t bytes,
                       TracedStep::Kind kind = TracedStep::Kind::overwritten);

} // namespace simt
