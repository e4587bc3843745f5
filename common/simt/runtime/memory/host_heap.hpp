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

/// Empty memory for host code of the submission that begins with a page; null if there is none.
void* allocate_pages(std::size_t bytes);

/// Whether the code at `caller`, a return address, is host code of a submission, or what that has called.
bool serves_host_code(const void* caller);

/// Finds the functions of the C library that others stand before, with its loader, as long as the process may.
void take_over_host_library();

/// operator new for host code of the submission.
void* new_of_host_code(std::size_t bytes);

} // namespace simt
