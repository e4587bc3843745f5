// Device queries and limits. Work is complete when a call returns, so there is never anything to wait for.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/graph/capture.hpp"
#include "simt/runtime/machine/device_limits.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/device_heap.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/schedule/device_launch.hpp"
#include "simt/runtime/schedule/unfinished.hpp"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <cstring>
#include <string_view>

using namespace simt;

namespace {

constexpr const char* pci_bus_id = "0000:00:00.0";

struct AttributeValue {
  cudaDeviceAttr attribute;
  int value;
};
constexpr AttributeValue values[] = {
    {cudaDevAttrMaxThreadsPerBlock, max_threads_per_block},
    {cudaDevAttrMaxBlockDimX, max_block_extent[0]},
    {cudaDevAttrMaxBlockDimY, max_block_extent[1]},
    {cudaDevAttrMaxBlockDimZ, max_block_extent[2]},
    {cudaDevAttrMaxGridDimX, max_grid_extent[0]},
    {cudaDevAttrMaxGridDimY, max_grid_extent[1]},
    {cudaDevAttrMaxGridDimZ, max_grid_extent[2]},
    {cudaDevAttrMaxSharedMemoryPerBlock, default_shared_limit},
    {cudaDevAttrTotalConstantMemory, 64 * 1024},
    {cudaDevAttrWarpSize, lanes_per_warp},
    {cudaDevAttrMaxRegistersPerBlock, 65536},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
    {cudaDevAttrClockRate, 1980000},
    {cudaDevAttrMultiProcessorCount, multiprocessors},
    {cudaDevAttrMemoryClockRate, 3201000},
    {cudaDevAttrGlobalMemoryBusWidth, 6016},
    {cudaDevAttrL2CacheSize, 60 << 20},
    {cudaDevAttrMaxPersistingL2CacheSize, 32 << 20}, // what asks for it is a hint, and changes nothing
    {cudaDevAttrMaxAccessPolicyWindowSize, 128 << 20},
    {cudaDevAttrMaxThreadsPerMultiProcessor, threads_per_multiprocessor},
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, shared_per_multiprocessor},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, opt_in_shared_limit},
    {cudaDevAttrMaxBlocksPerMultiprocessor, blocks_per_multiprocessor},
    {cudaDevAttrReservedSharedMemoryPerBlock, reserved_shared_per_block},
    {cudaDevAttrMaxPitch, 0x7fffffff},
    {cudaDevAttrTextureAlignment, texture_alignment},
    {cudaDevAttrSurfaceAlignment, texture_alignment},
    {cudaDevAttrTexturePitchAlignment, texture_pitch_alignment},
    {cudaDevAttrMaxTexture1DWidth, max_texture_1d},
    {cudaDevAttrMaxTexture2DWidth, max_texture_2d[0]},
    {cudaDevAttrMaxTexture2DHeight, max_texture_2d[1]},
    {cudaDevAttrMaxTexture3DWidth, max_texture_3d[0]},
    {cudaDevAttrMaxTexture3DHeight, max_texture_3d[1]},
    {cudaDevAttrMaxTexture3DDepth, max_texture_3d[2]},
    {cudaDevAttrMaxTexture1DLinearWidth, max_texture_1d_linear},
    {cudaDevAttrMaxTexture2DLinearWidth, max_texture_2d_linear[0]},
    {cudaDevAttrMaxTexture2DLinearHeight, max_texture_2d_linear[1]},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxTexture1DLayeredWidth, max_texture_layers[0]},
    {cudaDevAttrMaxTexture1DLayeredLayers, max_texture_layers[2]},
    {cudaDevAttrMaxTexture2DLayeredWidth, max_texture_layers[0]},
    {cudaDevAttrMaxTextureCubemapWidth, max_texture_cubemaps[0]},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, max_texture_cubemaps[0]},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, max_texture_cubemaps[2]},
    {cudaDevAttrMaxTexture2DLayeredHeight, max_texture_layers[1]},
    {cudaDevAttrMaxTexture2DLayeredLayers, max_texture_layers[2]},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {cudaDevAttrMaxSurface1DWidth, max_texture_1d},
    {cudaDevAttrMaxSurface2DWidth, max_texture_2d[0]},
    {cudaDevAttrMaxSurface2DHeight, max_texture_2d[1]},
    {cudaDevAttrMaxSurface3DWidth, max_texture_3d[0]},
    {cudaDevAttrMaxSurface3DHeight, max_texture_3d[1]},
    {cudaDevAttrMaxSurface3DDepth, max_texture_3d[2]},
    {cudaDevAttrMaxSurface1DLayeredWidth, max_texture_layers[0]},
    {cudaDevAttrMaxSurface1DLayeredLayers, max_texture_layers[2]},
    {cudaDevAttrMaxSurface2DLayeredWidth, max_texture_layers[0]},
    {cudaDevAttrMaxSurfaceCubemapWidth, max_texture_cubemaps[0]},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, max_texture_cubemaps[0]},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, max_texture_cubemaps[2]},
    {cudaDevAttrMaxSurface2DLayeredHeight, max_texture_layers[1]},
    {cudaDevAttrMaxSurface2DLayeredLayers, max_texture_layers[2]},
    {cudaDevAttrAsyncEngineCount, 1},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrComputeMode, cudaComputeModeDefault},
};

constexpr cudaDeviceAttr abilities[] = {cudaDevAttrConcurrentKernels,
                                        cudaDevAttrUnifiedAddressing,
                                        cudaDevAttrManagedMemory,
                                        cudaDevAttrCooperativeLaunch,
                                        cudaDevAttrClusterLaunch,
                                        cudaDevAttrGpuOverlap,
                                        cudaDevAttrCanMapHostMemory,
                                        cudaDevAttrStreamPrioritiesSupported,
                                        cudaDevAttrGlobalL1CacheSupported,
                                        cudaDevAttrLocalL1CacheSupported,
                                        cudaDevAttrConcurrentManagedAccess,
                                        cudaDevAttrComputePreemptionSupported,
                                        cudaDevAttrCanUseHostPointerForRegisteredMem,
                                        cudaDevAttrHostRegisterSupported,
                                        cudaDevAttrMemoryPoolsSupported};

// Neither a display nor a second board is simulated, no bus, no access to ordinary host memory, nothing that other processes or
// libraries of graphics share, and no mipmaps.
constexpr cudaDeviceAttr inabilities[] = {cudaDevAttrIntegrated,
                                          cudaDevAttrKernelExecTimeout,
                                          cudaDevAttrEccEnabled,
                                          cudaDevAttrPciBusId,
                                          cudaDevAttrPciDeviceId,
                                          cudaDevAttrPciDomainId,
                                          cudaDevAttrTccDriver,
                                          cudaDevAttrIsMultiGpuBoard,
                                          cudaDevAttrMultiGpuBoardGroupID,
                                          cudaDevAttrHostNativeAtomicSupported,
                                          cudaDevAttrPageableMemoryAccess,
                                          cudaDevAttrPageableMemoryAccessUsesHostPageTables,
                                          cudaDevAttrDirectManagedMemAccessFromHost,
                                          cudaDevAttrCooperativeMultiDeviceLaunch,
                                          cudaDevAttrMaxTexture2DMipmappedWidth,
                                          cudaDevAttrMaxTexture2DMipmappedHeight,
                                          cudaDevAttrMaxTexture1DMipmappedWidth,
                                          cudaDevAttrCanFlushRemoteWrites,
                                          cudaDevAttrSparseCudaArraySupported,
                                          cudaDevAttrHostRegisterReadOnlySupported,
                                          cudaDevAttrTimelineSemaphoreInteropSupported,
                                          cudaDevAttrGPUDirectRDMASupported,
                                          cudaDevAttrGPUDirectRDMAFlushWritesOptions,
                                          cudaDevAttrGPUDirectRDMAWritesOrdering,
                                          cudaDevAttrMemoryPoolSupportedHandleTypes,
                                          cudaDevAttrDeferredMappingCudaArraySupported,
                                          cudaDevAttrIpcEventSupport,
                                          cudaDevAttrNumaConfig,
                                          cudaDevAttrMpsEnabled,
                                          cudaDevAttrHostNumaId,
                                          cudaDevAttrD3D12CigSupported,
                                          cudaDevAttrVulkanCigSupported,
                                          cudaDevAttrHostNumaMemoryPoolsSupported,
                                          cudaDevAttrHostNumaMultinodeIpcSupported,
                                          cudaDevAttrHostMemoryPoolsSupported,
                                          cudaDevAttrOnlyPartialHostNativeAtomicSupported};

/// The value of an attribute, or -1 if the simulated device does not know it.
int attribute_value(cudaDeviceAttr attribute) {
  const auto known = std::ranges::find(values, attribute, &AttributeValue::attribute);
  if (known != std::end(values)) return known->value;
  const auto is_among = [&](const auto& attributes) {
    return std::ranges::find(attributes, attribute) != std::end(attributes);
  };
  return is_among(abilities) ? 1 : is_among(inabilities) ? 0 : -1;
}

/// There is one device.
cudaError_t check_device(int device) {
  if (device == 0) return cudaSuccess;
  note_reason([asked = fact::Other{std::to_string(device)}](fact::Subject function, fact::Error error) {
    return diagnostic_of({"unheard-error", "no-device"}, std::move(function), std::move(error), asked,
                         fact::Limit{1});
  });
  return cudaErrorInvalidDevice;
}

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  const HostCall turn;
  if (!count) return api_result(cudaErrorInvalidValue);
  *count = 1;
  return api_result(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  const HostCall turn;
  return api_result(check_device(device));
}

cudaError_t cudaGetDevice(int* device) {
  const HostCall turn;
  if (!device) return api_result(cudaErrorInvalidValue);
  *device = 0;
  return api_result(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const HostCall turn;
  if (!value) return api_result(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return api_result(error);
  int known = attribute_value(attribute);
  if (known < 0) return api_result(cudaErrorInvalidValue);
  *value = known;
  return api_result(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const HostCall turn;
  if (!properties) return api_result(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return api_result(error);
  cudaDeviceProp p = {};
  std::strcpy(p.name, "Warpbook simulator (sm_90)");
  p.totalGlobalMem = machine.options.device_memory;
  p.sharedMemPerBlock = default_shared_limit;
  p.regsPerBlock = p.regsPerMultiprocessor = attribute_value(cudaDevAttrMaxRegistersPerBlock);
  p.warpSize = lanes_per_warp;
  p.memPitch = static_cast<std::size_t>(attribute_value(cudaDevAttrMaxPitch));
  p.maxThreadsPerBlock = max_threads_per_block;
  std::ranges::copy(max_block_extent, p.maxThreadsDim);
  std::ranges::copy(max_grid_extent, p.maxGridSize);
  p.totalConstMem = static_cast<std::size_t>(attribute_value(cudaDevAttrTotalConstantMemory));
  p.major = attribute_value(cudaDevAttrComputeCapabilityMajor);
  p.textureAlignment = static_cast<std::size_t>(attribute_value(cudaDevAttrTextureAlignment));
  p.multiProcessorCount = multiprocessors;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
  p.asyncEngineCount = 1;
  p.memoryBusWidth = attribute_value(cudaDevAttrGlobalMemoryBusWidth);
  p.l2CacheSize = attribute_value(cudaDevAttrL2CacheSize);
  p.persistingL2CacheMaxSize = attribute_value(cudaDevAttrMaxPersistingL2CacheSize);
  p.accessPolicyMaxWindowSize = attribute_value(cudaDevAttrMaxAccessPolicyWindowSize);
  p.maxThreadsPerMultiProcessor = threads_per_multiprocessor;
  p.sharedMemPerMultiprocessor = shared_per_multiprocessor;
  p.sharedMemPerBlockOptin = opt_in_shared_limit;
  p.maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
  p.reservedSharedMemPerBlock = reserved_shared_per_block;
  p.cooperativeLaunch = attribute_value(cudaDevAttrCooperativeLaunch);
  p.clusterLaunch = attribute_value(cudaDevAttrClusterLaunch);
  p.clockRate = attribute_value(cudaDevAttrClockRate);
  p.memoryClockRate = attribute_value(cudaDevAttrMemoryClockRate);
  // What deviceQuery shows of devices of compute capability 9.0.
  p.maxTexture1D = p.maxSurface1D = max_texture_1d;
  p.maxTexture1DLinear = max_texture_1d_linear;
  std::ranges::copy(max_texture_2d, p.maxTexture2D);
  std::ranges::copy(max_texture_2d, p.maxSurface2D);
  std::ranges::copy(max_texture_3d, p.maxTexture3D);
  std::ranges::copy(max_texture_3d, p.maxSurface3D);
  p.maxTexture1DLayered[0] = p.maxSurface1DLayered[0] = max_texture_layers[0];
  p.maxTexture1DLayered[1] = p.maxSurface1DLayered[1] = max_texture_layers[2];
  std::ranges::copy(max_texture_layers, p.maxTexture2DLayered);
  std::ranges::copy(max_texture_layers, p.maxSurface2DLayered);
  p.maxTextureCubemap = p.maxSurfaceCubemap = max_texture_cubemaps[0];
  p.maxTextureCubemapLayered[0] = p.maxSurfaceCubemapLayered[0] = max_texture_cubemaps[0];
  p.maxTextureCubemapLayered[1] = p.maxSurfaceCubemapLayered[1] = max_texture_cubemaps[2];
  p.maxTexture2DGather[0] = attribute_value(cudaDevAttrMaxTexture2DGatherWidth);
  p.maxTexture2DGather[1] = attribute_value(cudaDevAttrMaxTexture2DGatherHeight);
  std::ranges::copy(max_texture_2d_linear, p.maxTexture2DLinear);
  p.maxTexture2DLinear[2] = attribute_value(cudaDevAttrMaxTexture2DLinearPitch);
  p.surfaceAlignment = p.textureAlignment;
  p.texturePitchAlignment = static_cast<std::size_t>(attribute_value(cudaDevAttrTexturePitchAlignment));
  p.deviceOverlap = p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.concurrentManagedAccess = p.computePreemptionSupported = p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  p.singleToDoublePrecisionPerfRatio = attribute_value(cudaDevAttrSingleToDoublePrecisionPerfRatio);
  *properties = p;
  return api_result(cudaSuccess);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  const HostCall turn;
  return cudaGetDevice(device);
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  const HostCall turn;
  return api_result(flags < 0x40 ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  const HostCall turn;
  if (!flags) return api_result(cudaErrorInvalidValue);
  *flags = cudaDeviceMapHost;
  return api_result(cudaSuccess);
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  const HostCall turn;
  if (!text || length < 13) return api_result(cudaErrorInvalidValue);
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  std::strcpy(text, pci_bus_id);
  return api_result(cudaSuccess);
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  const HostCall turn;
  if (!device || !text) return api_result(cudaErrorInvalidValue);
  // With and without the domain and the function.
  const std::string_view asked = text, whole = pci_bus_id;
  if (asked != whole && asked != whole.substr(0, whole.find('.')) && asked != whole.substr(5))
    return api_result(cudaErrorInvalidDevice);
  *device = 0;
  return api_result(cudaSuccess);
}
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  const HostCall turn;
  if (device != 0) return api_result(cudaErrorInvalidDevice);
  if (flags > cudaInitDeviceFlagsAreValid) return api_result(cudaErrorInvalidValue);
  return flags == 0 ? api_result(cudaSuccess) : cudaSetDeviceFlags(device_flags);
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  const HostCall turn;
  if (!devices && count > 0) return api_result(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i)
    if (devices[i] != 0) return api_result(cudaErrorInvalidDevice);
  return api_result(cudaSuccess);
}

// There is one device, which has no peers.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const HostCall turn;
  if (!can) return api_result(cudaErrorInvalidValue);
  *can = 0;
  return api_result(device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  const HostCall turn;
  return api_result(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  const HostCall turn;
  return api_result(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int, int) {
  const HostCall turn;
  const bool is_attribute = attribute >= cudaDevP2PAttrPerformanceRank &&
                            attribute <= cudaDevP2PAttrOnlyPartialNativeAtomicSupported;
  return api_result(value && is_attribute ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

// Caches are not simulated, shared memory has banks of 4 bytes on every device of today, and there is no profiler.
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  const HostCall turn;
  if (!config) return api_result(cudaErrorInvalidValue);
  *config = cudaFuncCachePreferNone;
  return api_result(cudaSuccess);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  const HostCall turn;
  return api_result(cudaSuccess);
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  const HostCall turn;
  if (!config) return api_result(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return api_result(cudaSuccess);
}
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) {
  const HostCall turn;
  return api_result(cudaSuccess);
}
cudaError_t cudaProfilerStart(void) {
  const HostCall turn;
  return api_result(cudaSuccess);
}
cudaError_t cudaProfilerStop(void) {
  const HostCall turn;
  return api_result(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void) {
  const HostCall turn;
  const cudaError_t error = refuse_device_wait();
  if (error == cudaSuccess && !machine.lane) wait_for_device();
  return api_result(error);
}

cudaError_t cudaDeviceReset(void) {
  const HostCall turn;
  reset_device();
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  const HostCall turn;
  switch (limit) {
  case cudaLimitMallocHeapSize:
    set_heap_limit(value);
    return api_result(cudaSuccess);
  case cudaLimitStackSize:
    device_limits.stack = value;
    return api_result(cudaSuccess);
  case cudaLimitPrintfFifoSize:
    device_limits.printed = value;
    return api_result(cudaSuccess);
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
  const HostCall turn;
  if (!value) return api_result(cudaErrorInvalidValue);
  switch (limit) {
  case cudaLimitStackSize:
    *value = device_limits.stack;
    break;
  case cudaLimitPrintfFifoSize:
    *value = device_limits.printed;
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

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  const HostCall turn;
  return api_result(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  const HostCall turn;
  return api_result(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int* version) {
  const HostCall turn;
  return cudaRuntimeGetVersion(version);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  const HostCall turn;
  if (!version) return api_result(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return api_result(cudaSuccess);
}

} // extern "C"
