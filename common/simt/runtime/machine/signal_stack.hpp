// The stacks on which signals of the host's threads are handled: a kernel's own stack may be full.
#pragma once

namespace simt {

/// Gives the calling thread such a stack, once, unless it has one.
void prepare_thread_for_signals();

} // namespace simt
