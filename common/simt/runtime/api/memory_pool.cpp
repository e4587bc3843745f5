// Pools for cudaMallocAsync. Memory comes from the device and goes back to it at once, so that a pool is a place
// for its attributes.
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

using namespace simt;

struct CUmemPoolHandle_st {
  /// By attribute: 0, 1, ... The first three are ints and on, as CUDA says.
  std::uint64_t attributes[cudaMemPoolAttrUsedMemHigh + 1] = {0, 1, 1, 1};
};

namespace {

CUmemPoolHandle_st default_pool;
cudaMemPool_t current = &default_pool;
std::vector<std::unique_ptr<CUmemPoolHandle_st>> created;
const OnReset destroy_pools([] {
  current = &default_pool;
  default_pool = {};
  created.clear();
});

auto find(cudaMemPool_t pool) {
  return std::find_if(created.begin(), created.end(), [&](const auto& one) { return one.get() == pool; });
}
bool is_pool(cudaMemPool_t pool) { return pool == &default_pool || find(pool) != created.end(); }
bool is_attribute(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolAttrUsedMemHigh;
}
bool is_device(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice && location.id == 0;
}
bool is_flag(cudaMemPoolAttr attribute) { return attribute <= cudaMemPoolReuseAllowInternalDependencies; }

} // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  const HostCall turn;
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  if (!pool) return api_result(cudaErrorInvalidValue);
  *pool = &default_pool;
  return api_result(cudaSuccess);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  const HostCall turn;
  const cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device);
  if (error == cudaSuccess) *pool = current;
  return error;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  const HostCall turn;
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  if (!is_pool(pool)) return api_result(cudaErrorInvalidValue);
  current = pool;
  return api_result(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  const HostCall turn;
  if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned)
    return api_result(cudaErrorInvalidValue);
  if (properties->handleTypes != cudaMemHandleTypeNone) return api_result(cudaErrorNotSupported);
  *pool = created.emplace_back(std::make_unique<CUmemPoolHandle_st>()).get();
  return api_result(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const HostCall turn;
  const auto found = find(pool);
  if (found == created.end()) return api_result(cudaErrorInvalidValue); // the default one stays
  if (current == pool) current = &default_pool;
  created.erase(found);
  return api_result(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const HostCall turn;
  if (!is_pool(pool) || !is_attribute(attribute) || !value) return api_result(cudaErrorInvalidValue);
  pool->attributes[attribute] = is_flag(attribute) ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                                   : *static_cast<std::uint64_t*>(value);
  return api_result(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const HostCall turn;
  if (!is_pool(pool) || !is_attribute(attribute) || !value) return api_result(cudaErrorInvalidValue);
  if (is_flag(attribute))
    *static_cast<int*>(value) = static_cast<int>(pool->attributes[attribute]);
  else if (attribute == cudaMemPoolAttrReleaseThreshold)
    *static_cast<std::uint64_t*>(value) = pool->attributes[attribute];
  else
    *static_cast<std::uint64_t*>(value) = allocated_bytes(); // all pools and cudaMalloc together
  return api_result(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  const HostCall turn;
  return api_result(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* wanted, std::size_t count) {
  const HostCall turn;
  if (!is_pool(pool) || (!wanted && count > 0)) return api_result(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (!is_device(wanted[i].location) || wanted[i].flags != cudaMemAccessFlagsProtReadWrite)
      return api_result(cudaErrorInvalidValue);
  return api_result(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  const HostCall turn;
  if (!flags || !is_pool(pool) || !location || !is_device(*location))
    return api_result(cudaErrorInvalidValue);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return api_result(cudaSuccess);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  const HostCall turn;
  if (!is_pool(pool)) return api_result(cudaErrorInvalidValue);
  return cudaMallocAsync(pointer, bytes, stream);
}
