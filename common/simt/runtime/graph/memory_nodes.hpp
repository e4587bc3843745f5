// Memory that graphs allocate. A node's memory has its address from the start; it is there from the node that allocates it to
// the one that frees it, to cudaFree, or to the next launch of a graph that frees it by itself.
#pragma once

#include "driver_types.h"
#include "simt_shim/graph_types.h"

#include <cstddef>
#include <cstdint>

namespace simt {

/// Puts an address for as many bytes as asked for into `params`.
cudaError_t reserve_memory_of(cudaMemAllocNodeParams& params, std::uintptr_t site);
bool is_memory_of_graph(const void* pointer);
bool is_allocated(const void* pointer);

/// What the nodes do. False: the device is full, or the memory is not as the node needs it.
bool allocate_for_graph(void* pointer);
bool free_of_graph(void* pointer);

} // namespace simt
