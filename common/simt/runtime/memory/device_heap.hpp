// The heap that malloc and new in kernels take from.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace simt {

inline constexpr std::size_t default_heap_bytes = 8 << 20;

/// What was last asked for in this grid, in bytes, that the heap had no room for; 0: nothing.
std::size_t refused_by_heap();
/// What its lanes have freed is for others.
void end_block_of_heap(const Block& block);
void set_heap_limit(std::size_t bytes);
std::size_t heap_limit_bytes();

/// cudaMalloc and cudaFree in device code, which take from this heap too. `*pointer` is null where that has no room.
/// False if there is none, or if the pointer was not taken from the heap; that has then been reported for the call at `site`.
bool allocate_for_kernel(void** pointer, std::size_t bytes);
bool free_for_kernel(void* pointer, std::uintptr_t site);

/// How many bytes there are from the address to the end of the block that it is in, which the program's host code has from malloc or
/// new[]; nothing where there is no such block.
std::optional<std::size_t> bytes_left_in_host_block(std::uintptr_t address);

} // namespace simt
