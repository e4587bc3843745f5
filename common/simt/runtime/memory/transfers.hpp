// Bytes that cross between host and device: by copies of the runtime API, and through memory that both of them see, which is
// managed memory and device variables for the host, and page-locked and registered memory for kernels.
#pragma once

#include "simt/runtime/machine/counting.hpp"

namespace simt {

/// Where on its stack a caller has begun the program's function that runs (copy_for_caller), or 0: all below is that function's.
std::uintptr_t stack_of_caller();

/// A copy by a function of the API, whose call returns to `site`.
void note_copy(Crossing direction, std::size_t bytes, const char* function, std::uintptr_t site);

/// The same from device memory to device memory, which is done.
void note_copy_within(std::uintptr_t to, std::size_t bytes, const char* function, std::uintptr_t site);

/// Host code uses device memory that it may use.
void note_host_access(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site);

/// The host has so many blocks more (or fewer) that kernels may use: requests to them are looked at.
void change_mapped_blocks(int by);
bool has_mapped_blocks();

/// A request of the running kernel to global memory; of interest where it is memory of the host.
void note_kernel_access(const LogEntry& entry);
/// Of how many accesses that was so, since the process began.
std::uint64_t kernel_accesses_to_host();

/// The host launches: what a side has seen before, the other one may have changed since.
void forget_crossed_bytes();

} // namespace simt
