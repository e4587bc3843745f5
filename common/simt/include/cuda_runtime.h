// What a .cu file sees on the simulator: the language, and the runtime API with its C++ conveniences.
#ifndef SIMT_INCLUDE_CUDA_RUNTIME_H
#define SIMT_INCLUDE_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "simt_shim/allocation.h"
#include "simt_shim/atomics.h"
#include "simt_shim/cluster.h"
#include "simt_shim/intrinsics.h"
#include "simt_shim/launch.h"
#include "simt_shim/launch_api.h"
#include "simt_shim/math.h"
#include "simt_shim/memory.h"
#include "simt_shim/shared.h"
#include "simt_shim/sync.h"
#include "vector_functions.h"

#include <assert.h>
#include <stdio.h>

template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0) {
  return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}

inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}
inline cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes) {
  return cudaMemsetAsync(pointer, value, bytes, nullptr);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event) { return cudaEventRecord(event, nullptr); }
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
  return cudaStreamWaitEvent(stream, event, 0);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr) {
  return cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
  return cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, static_cast<const void*>(&symbol));
}

template <class T>
cudaError_t cudaGetSymbolAddress(T** pointer, const T& symbol) {
  return cudaGetSymbolAddress(reinterpret_cast<void**>(pointer), static_cast<const void*>(&symbol));
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return cudaGetSymbolSize(bytes, static_cast<const void*>(&symbol));
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags = 0) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
// As these two were until CUDA 12: the device by its number, or cudaCpuDeviceId.
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(
      pointer, bytes,
      cudaMemLocation{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device}, 0,
      stream);
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation where, unsigned flags) {
  return cudaMemPrefetchAsync(pointer, bytes, where, flags, nullptr);
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(
      pointer, bytes, advice,
      cudaMemLocation{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device});
}
inline cudaError_t cudaHostRegister(void* pointer, size_t bytes) { return cudaHostRegister(pointer, bytes, 0); }
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), bytes, flags);
}
inline cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
inline cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr block, int value, cudaExtent extent) {
  return cudaMemset3DAsync(block, value, extent, nullptr);
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy) { return cudaMemcpy3DAsync(copy, nullptr); }
inline cudaError_t cudaDeviceEnablePeerAccess(int peer) { return cudaDeviceEnablePeerAccess(peer, 0); }

template <class... P>
cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(P...), cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class... P>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...), int block_size,
                                                          size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel),
                                                       block_size, dynamic_shared_bytes);
}
template <class... P>
cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void (*kernel)(P...), int block_size,
                                                       size_t dynamic_shared_bytes, unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(kernel),
                                                                block_size, dynamic_shared_bytes, flags);
}
template <class... P>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void (*kernel)(P...), int blocks,
                                                      int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(kernel), blocks,
                                                   block_size);
}
template <class... P>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void (*kernel)(P...),
                                           const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(kernel), config);
}
template <class... P>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, void (*kernel)(P...),
                                                 const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxPotentialClusterSize(size, reinterpret_cast<const void*>(kernel), config);
}
/// The smallest grid that fills the device with blocks of the size, a multiple of 32, that keeps the most
/// threads resident. `shared_bytes(block_size)` gives a block's dynamic shared memory.
template <class F, class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size,
                                                           void (*kernel)(P...), F shared_bytes,
                                                           int block_size_limit = 0) {
  cudaFuncAttributes attributes;
  if (cudaError_t error = cudaFuncGetAttributes(&attributes, kernel); error != cudaSuccess) return error;
  int limit = attributes.maxThreadsPerBlock, best = 0, best_blocks = 0;
  if (block_size_limit > 0 && block_size_limit < limit) limit = block_size_limit;
  for (int size = limit / 32 * 32; size >= 32; size -= 32) {
    int blocks = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, shared_bytes(size));
    if (error != cudaSuccess) return error;
    if (blocks * size > best_blocks * best) {
      best_blocks = blocks;
      best = size;
    }
  }
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  *block_size = best;
  *min_grid_size = best_blocks * multiprocessors;
  return cudaSuccess;
}
template <class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, void (*kernel)(P...),
                                               size_t dynamic_shared_bytes = 0, int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      min_grid_size, block_size, kernel, [=](int) { return dynamic_shared_bytes; }, block_size_limit);
}

#endif
