// Stacks for simulated threads. A thread that ends gives its stack back, and the next one reuses it while it
// is still in the cache: a kernel without barriers runs on a single stack.
#pragma once

#include <cstdint>

namespace simt {

/// The top of a free stack (stacks grow down from it).
void* acquire_stack();
void release_stack(void* top);

/// True if `address` is in a guard page, which only a stack overflow reaches.
bool is_stack_guard(std::uintptr_t address);

} // namespace simt
