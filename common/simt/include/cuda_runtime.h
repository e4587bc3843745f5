// What a .cu file sees on the simulator: the language, and the runtime API with its C++ conveniences.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "library_types.h"
#include "simt_shim/address_space.h"
#include "simt_shim/allocation.h"
#include "simt_shim/atomics.h"
#include "simt_shim/builtin_atomics.h"
#include "simt_shim/cluster.h"
#include "simt_shim/directed_rounding.h"
#include "simt_shim/host_side.h"
#include "simt_shim/intrinsics.h"
#include "simt_shim/launch.h"
#include "simt_shim/launch_api.h"
#ifdef __SIMT_LEGACY_WARP_FUNCTIONS__
#include "simt_shim/legacy_warp.h"
#endif
#include "simt_shim/math.h"
#include "simt_shim/memory.h"
#include "simt_shim/rules.h"
#include "simt_shim/shared.h"
#include "simt_shim/simd_intrinsics.h"
#include "simt_shim/stored.h"
#include "simt_shim/sync.h"
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"
#include "vector_functions.h"

// What nvcc has in front of every .cu file.
#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <utility>

// The parts of the toolkit's header, by the guards of theirs that other headers ask for.
#define __COMMON_FUNCTIONS_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __HOST_CONFIG_H__
#define __MATH_FUNCTIONS_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_30_INTRINSICS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_INTRINSICS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_35_INTRINSICS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_61_INTRINSICS_H__
#define __SM_70_RT_H__
#define __SM_80_RT_H__
#define __SM_90_RT_H__
#define __VECTOR_FUNCTIONS_H__

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

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}

namespace simt::detail {
constexpr size_t any_bytes = ~size_t{};
template <class T, class = void>
constexpr size_t bytes_of_symbol = any_bytes; // an extern array may be of unknown length
template <class T>
constexpr size_t bytes_of_symbol<T, std::enable_if_t<(sizeof(T) > 0)>> = sizeof(T);

/// So many bytes, or, where a symbol of this type has not so many from there on, more than there are in any.
template <class T>
constexpr size_t bytes_in(size_t bytes, size_t offset) {
  constexpr size_t all = bytes_of_symbol<T>;
  return offset <= all && bytes <= all - offset ? bytes : any_bytes;
}
} // namespace simt::detail

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, simt::detail::bytes_in<T>(bytes, offset), offset,
                            kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), simt::detail::bytes_in<T>(bytes, offset), offset,
                              kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr) {
  return cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, simt::detail::bytes_in<T>(bytes, offset), offset,
                                 kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
  return cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), simt::detail::bytes_in<T>(bytes, offset), offset,
                                   kind, stream);
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
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
// As these two were until CUDA 12: the device by its number, or cudaCpuDeviceId.
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                        cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(
      pointer, bytes,
      cudaMemLocation{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                      device},
      0, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(
      pointer, bytes, advice,
      cudaMemLocation{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                      device});
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), bytes, flags);
}
// Kernels are given as what they are, by any pointer: a function's, or one without a type.
template <class T>
cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void*)kernel, config);
}
template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void*)kernel, config);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int block_size,
                                                          size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block_size,
                                                       dynamic_shared_bytes);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, block_size,
                                                                dynamic_shared_bytes, flags);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel, int blocks, int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)kernel, blocks, block_size);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel, const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, (const void*)kernel, config);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* kernel, const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxPotentialClusterSize(size, (const void*)kernel, config);
}
/// The smallest grid that fills the device with blocks of the size, a multiple of 32, that keeps the most
/// threads resident. `shared_bytes(block_size)` gives a block's dynamic shared memory; `block_size_limit` 0 means none.
template <class F, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* min_grid_size, int* block_size,
                                                                    T kernel, F shared_bytes,
                                                                    int block_size_limit = 0,
                                                                    unsigned flags = 0) {
  if (!min_grid_size || !block_size || !kernel) return cudaErrorInvalidValue;
  cudaFuncAttributes attributes;
  const cudaError_t unknown = cudaFuncGetAttributes(&attributes, (const void*)kernel);
  if (unknown != cudaSuccess) return unknown;
  int limit = attributes.maxThreadsPerBlock, best = 0, best_blocks = 0;
  if (block_size_limit > 0 && block_size_limit < limit) limit = block_size_limit;
  for (int size = limit; size > 0; size = (size - 1) / 32 * 32) {
    int blocks = 0;
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void*)kernel, size, static_cast<size_t>(shared_bytes(size)), flags);
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
template <class F, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size, T kernel,
                                                           F shared_bytes, int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size, kernel,
                                                                 shared_bytes, block_size_limit);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size, int* block_size, T kernel,
                                                        size_t dynamic_shared_bytes = 0,
                                                        int block_size_limit = 0, unsigned flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      min_grid_size, block_size, kernel, [=](int) { return dynamic_shared_bytes; }, block_size_limit, flags);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, T kernel,
                                               size_t dynamic_shared_bytes = 0, int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, kernel, dynamic_shared_bytes,
                                                     block_size_limit);
}

#endif
