// Device queries and limits. Work is complete when a call returns, so there is never anything to wait for.
#include "simt/runtime/device_launch.hpp"
#include "simt/runtime/errors.hpp"
#include "simt/runtime/global_memory.hpp"
#include "simt/runtime/limits.hpp"
#include "simt/runtime/machine.hpp"

#include "cuda_runtime_api.h"

#include <cstring>

using namespace simt;

namespace {

constexpr int l2_bytes = 60 << 20;

/// The value of an attribute, or -1 if the simulated device does not know it.
int attribute_value(cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    return max_threads_per_block;
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return 1024;
  case cudaDevAttrMaxBlockDimZ:
    return 64;
  case cudaDevAttrMaxGridDimX:
    return 0x7fffffff;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return 65535;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return default_shared_limit;
  case cudaDevAttrTotalConstantMemory:
    return 64 * 1024;
  case cudaDevAttrWarpSize:
    return lanes_per_warp;
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return 65536;
  case cudaDevAttrClockRate:
    return 1980000;
  case cudaDevAttrMultiProcessorCount:
    return multiprocessors;
  case cudaDevAttrIntegrated:
    return 0;
  case cudaDevAttrConcurrentKernels:
    return 1;
  case cudaDevAttrMemoryClockRate:
    return 3201000;
  case cudaDevAttrGlobalMemoryBusWidth:
    return 6016;
  case cudaDevAttrL2CacheSize:
    return l2_bytes;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return threads_per_multiprocessor;
  case cudaDevAttrUnifiedAddressing:
    return 1;
  case cudaDevAttrComputeCapabilityMajor:
    return 9;
  case cudaDevAttrComputeCapabilityMinor:
    return 0;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return shared_per_multiprocessor;
  case cudaDevAttrManagedMemory:
    return 1;
  case cudaDevAttrCooperativeLaunch:
    return 1;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return opt_in_shared_limit;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return blocks_per_multiprocessor;
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return reserved_shared_per_block;
  case cudaDevAttrMemoryPoolsSupported:
    return 0;
  case cudaDevAttrClusterLaunch:
    return 1;
  }
  return -1;
}

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return api_result(cudaErrorInvalidValue);
  *count = 1;
  return api_result(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  return api_result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDevice(int* device) {
  if (!device) return api_result(cudaErrorInvalidValue);
  *device = 0;
  return api_result(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!value) return api_result(cudaErrorInvalidValue);
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  int known = attribute_value(attribute);
  if (known < 0) return api_result(cudaErrorInvalidValue);
  *value = known;
  return api_result(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!properties) return api_result(cudaErrorInvalidValue);
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  cudaDeviceProp p = {};
  std::strcpy(p.name, "Warpbook simulator (sm_90)");
  p.totalGlobalMem = device_memory;
  p.sharedMemPerBlock = default_shared_limit;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = lanes_per_warp;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = max_threads_per_block;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 64 * 1024;
  p.major = 9;
  p.textureAlignment = 512;
  p.multiProcessorCount = multiprocessors;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
  p.asyncEngineCount = 1;
  p.memoryBusWidth = attribute_value(cudaDevAttrGlobalMemoryBusWidth);
  p.l2CacheSize = l2_bytes;
  p.maxThreadsPerMultiProcessor = threads_per_multiprocessor;
  p.sharedMemPerMultiprocessor = shared_per_multiprocessor;
  p.sharedMemPerBlockOptin = opt_in_shared_limit;
  p.maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
  p.reservedSharedMemPerBlock = reserved_shared_per_block;
  p.cooperativeLaunch = attribute_value(cudaDevAttrCooperativeLaunch);
  p.clusterLaunch = attribute_value(cudaDevAttrClusterLaunch);
  *properties = p;
  return api_result(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void) { return api_result(cudaSuccess); }

cudaError_t cudaDeviceReset(void) {
  free_all_global();
  reset_errors();
  reset_launch_limits();
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  switch (limit) {
  case cudaLimitStackSize:
  case cudaLimitPrintfFifoSize:
  case cudaLimitMallocHeapSize:
  case cudaLimitMaxL2FetchGranularity: // a hint to a cache that is not simulated
    return api_result(cudaSuccess);
  case cudaLimitDevRuntimePendingLaunchCount:
    set_pending_launch_limit(value);
    return api_result(cudaSuccess);
  case cudaLimitDevRuntimeSyncDepth: // for cudaDeviceSynchronize in device code, which sm_90 does not have
    return api_result(cudaErrorUnsupportedLimit);
  }
  return api_result(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (!value) return api_result(cudaErrorInvalidValue);
  switch (limit) {
  case cudaLimitStackSize:
    *value = stack_bytes;
    break;
  case cudaLimitPrintfFifoSize:
    *value = 1 << 20;
    break;
  case cudaLimitMallocHeapSize:
    *value = 8 << 20;
    break;
  case cudaLimitMaxL2FetchGranularity:
    *value = 64;
    break;
  case cudaLimitDevRuntimePendingLaunchCount:
    *value = pending_launch_limit();
    break;
  case cudaLimitDevRuntimeSyncDepth:
    return api_result(cudaErrorUnsupportedLimit);
  default:
    return api_result(cudaErrorInvalidValue);
  }
  return api_result(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return api_result(cudaSuccess); }

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (!version) return api_result(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return api_result(cudaSuccess);
}

} // extern "C"
