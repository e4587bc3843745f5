// Device queries and limits. Work is complete when a call returns, so there is never anything to wait for.
#include "simt/runtime/machine/errors.hpp"
#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/device_heap.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/schedule/device_launch.hpp"

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
  case cudaDevAttrClusterLaunch:
    return 1;
  case cudaDevAttrMaxPitch:
    return 0x7fffffff;
  case cudaDevAttrTextureAlignment:
  case cudaDevAttrSurfaceAlignment:
    return 512;
  case cudaDevAttrTexturePitchAlignment:
    return 32;
  case cudaDevAttrAsyncEngineCount:
    return 1;
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrGlobalL1CacheSupported:
  case cudaDevAttrLocalL1CacheSupported:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrComputePreemptionSupported:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrMemoryPoolsSupported:
    return 1;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    return 2;
  case cudaDevAttrComputeMode:
    return cudaComputeModeDefault;
  // Neither a display nor a second board is simulated, no textures, no bus, and no access to ordinary host memory.
  case cudaDevAttrKernelExecTimeout:
  case cudaDevAttrEccEnabled:
  case cudaDevAttrPciBusId:
  case cudaDevAttrPciDeviceId:
  case cudaDevAttrPciDomainId:
  case cudaDevAttrTccDriver:
  case cudaDevAttrIsMultiGpuBoard:
  case cudaDevAttrMultiGpuBoardGroupID:
  case cudaDevAttrHostNativeAtomicSupported:
  case cudaDevAttrPageableMemoryAccess:
  case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
  case cudaDevAttrDirectManagedMemAccessFromHost:
  case cudaDevAttrCooperativeMultiDeviceLaunch:
  case cudaDevAttrMaxPersistingL2CacheSize:
  case cudaDevAttrMaxAccessPolicyWindowSize:
  case cudaDevAttrMaxTexture1DWidth:
  case cudaDevAttrMaxTexture2DWidth:
  case cudaDevAttrMaxTexture2DHeight:
  case cudaDevAttrMaxTexture3DWidth:
  case cudaDevAttrMaxTexture3DHeight:
  case cudaDevAttrMaxTexture3DDepth:
    return 0;
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
  p.clockRate = attribute_value(cudaDevAttrClockRate);
  p.memoryClockRate = attribute_value(cudaDevAttrMemoryClockRate);
  p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.concurrentManagedAccess = p.computePreemptionSupported = p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  *properties = p;
  return api_result(cudaSuccess);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return api_result(flags < 0x40 ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  if (!flags) return api_result(cudaErrorInvalidValue);
  *flags = cudaDeviceMapHost;
  return api_result(cudaSuccess);
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (!text || length < 13) return api_result(cudaErrorInvalidValue);
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  std::strcpy(text, "0000:00:00.0");
  return api_result(cudaSuccess);
}

// There is one device, which has no peers.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!can) return api_result(cudaErrorInvalidValue);
  *can = 0;
  return api_result(device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return api_result(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return api_result(cudaErrorInvalidDevice); }

// Caches are not simulated, shared memory has banks of 4 bytes on every device of today, and there is no profiler.
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (!config) return api_result(cudaErrorInvalidValue);
  *config = cudaFuncCachePreferNone;
  return api_result(cudaSuccess);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return api_result(cudaSuccess); }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (!config) return api_result(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return api_result(cudaSuccess);
}
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return api_result(cudaSuccess); }
cudaError_t cudaProfilerStart(void) { return api_result(cudaSuccess); }
cudaError_t cudaProfilerStop(void) { return api_result(cudaSuccess); }

cudaError_t cudaDeviceSynchronize(void) { return api_result(cudaSuccess); }

cudaError_t cudaDeviceReset(void) {
  reset_device();
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  switch (limit) {
  case cudaLimitMallocHeapSize:
    set_heap_limit(value);
    return api_result(cudaSuccess);
  case cudaLimitStackSize:
  case cudaLimitPrintfFifoSize:
  case cudaLimitMaxL2FetchGranularity: // hints to a cache that is not simulated
  case cudaLimitPersistingL2CacheSize:
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
    *value = heap_limit_bytes();
    break;
  case cudaLimitMaxL2FetchGranularity:
    *value = 64;
    break;
  case cudaLimitPersistingL2CacheSize:
    *value = 0;
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

cudaError_t cudaCtxResetPersistingL2Cache(void) { return api_result(cudaSuccess); }

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return api_result(cudaSuccess); }

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (!version) return api_result(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return api_result(cudaSuccess);
}

} // extern "C"
