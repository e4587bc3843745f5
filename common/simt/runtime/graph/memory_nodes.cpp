#include "simt/runtime/graph/memory_nodes.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>

namespace simt {

namespace {

/// In bytes, by cudaGraphMemAttributeType but for what is in use now. What was freed stays reserved until it is trimmed.
std::size_t most_used = 0, reserved = 0, most_reserved = 0;
const OnReset forget_use([] { most_used = reserved = most_reserved = 0; });

const Allocation* find_reserved(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* allocation = in_global(address) ? nearest_allocation(address) : nullptr;
  return allocation && allocation->of_graph && allocation->base == address ? allocation : nullptr;
}

bool is_device(const cudaMemPoolProps& pool) {
  return pool.allocType == cudaMemAllocationTypePinned && pool.location.type == cudaMemLocationTypeDevice &&
         pool.location.id == 0;
}

} // namespace

cudaError_t reserve_memory_of(cudaMemAllocNodeParams& params, std::uintptr_t site) {
  params.dptr = nullptr;
  if (params.bytesize == 0 || !is_device(params.poolProps) ||
      (params.accessDescCount > 0 && !params.accessDescs))
    return cudaErrorInvalidValue;
  if (params.poolProps.handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
  params.dptr = reserve_for_graph(params.bytesize);
  if (params.dptr) return cudaSuccess;
  report_out_of_memory(params.bytesize, site);
  return cudaErrorMemoryAllocation;
}

bool is_memory_of_graph(const void* pointer) { return find_reserved(pointer) != nullptr; }

bool is_allocated(const void* pointer) {
  const Allocation* allocation = find_reserved(pointer);
  return allocation && allocation->live;
}

bool allocate_for_graph(void* pointer) {
  if (!allocate_reserved(pointer)) return false;
  most_used = std::max(most_used, live_graph_bytes());
  reserved = std::max(reserved, live_graph_bytes());
  most_reserved = std::max(most_reserved, reserved);
  return true;
}

bool free_of_graph(void* pointer) { return is_allocated(pointer) && free_global(pointer); }

} // namespace simt

using namespace simt;

extern "C" {

cudaError_t cudaDeviceGraphMemTrim(int device) {
  const HostCall turn;
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  reserved = live_graph_bytes();
  return api_result(cudaSuccess);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  const HostCall turn;
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  if (!value) return api_result(cudaErrorInvalidValue);
  auto& bytes = *static_cast<std::uint64_t*>(value);
  switch (attribute) {
  case cudaGraphMemAttrUsedMemCurrent:
    bytes = live_graph_bytes();
    return api_result(cudaSuccess);
  case cudaGraphMemAttrUsedMemHigh:
    bytes = most_used;
    return api_result(cudaSuccess);
  case cudaGraphMemAttrReservedMemCurrent:
    bytes = std::max(reserved, live_graph_bytes());
    return api_result(cudaSuccess);
  case cudaGraphMemAttrReservedMemHigh:
    bytes = most_reserved;
    return api_result(cudaSuccess);
  }
  return api_result(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  const HostCall turn;
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  // The high-water marks can be set back, to 0 alone.
  if (!value || *static_cast<std::uint64_t*>(value) != 0) return api_result(cudaErrorInvalidValue);
  if (attribute == cudaGraphMemAttrUsedMemHigh)
    most_used = live_graph_bytes();
  else if (attribute == cudaGraphMemAttrReservedMemHigh)
    most_reserved = reserved;
  else
    return api_result(cudaErrorInvalidValue);
  return api_result(cudaSuccess);
}
}
