// What host code of a submission allocates lies apart from all else, so that it can be closed while a kernel runs (host_memory.hpp).
// malloc and its like are the simulator's own: in host code of the submission they serve from here, once keep_host_heap_apart() was
// called, and else they hand on to the C library. Not in a build with the address sanitizer, which has a heap of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace simt {

/// First addresses and lengths of all of it, in whole pages, which the caller closes: until it has opened them, and says so, threads of
/// the host that allocate or free wait.
std::vector<std::pair<std::uintptr_t, std::size_t>> close_host_heap();
void open_host_heap();

bool in_host_heap(std::uintptr_t address);

} // namespace simt
