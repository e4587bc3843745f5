// The runtime API's functions for code that is loaded at run time. An image is what `simtcc --fatbin` has built, or nvrtc.h's
// compiler; code for a GPU (PTX, cubin, fatbin) is refused when it is loaded.
#ifndef SIMT_INCLUDE_SIMT_SHIM_LIBRARY_API_H
#define SIMT_INCLUDE_SIMT_SHIM_LIBRARY_API_H

#include "simt_shim/graph_types.h"

typedef struct CUlib_st* cudaLibrary_t;

enum cudaJitOption {
  cudaJitMaxRegisters = 0,
  cudaJitThreadsPerBlock = 1,
  cudaJitWallTime = 2,
  cudaJitInfoLogBuffer = 3,
  cudaJitInfoLogBufferSizeBytes = 4,
  cudaJitErrorLogBuffer = 5,
  cudaJitErrorLogBufferSizeBytes = 6,
  cudaJitOptimizationLevel = 7,
  cudaJitFallbackStrategy = 10,
  cudaJitGenerateDebugInfo = 11,
  cudaJitLogVerbose = 12,
  cudaJitGenerateLineInfo = 13,
  cudaJitCacheMode = 14,
  cudaJitPositionIndependentCode = 30,
  cudaJitMinCtaPerSm = 31,
  cudaJitMaxThreadsPerBlock = 32,
  cudaJitOverrideDirectiveValues = 33
};
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };
enum cudaJit_CacheMode { cudaJitCacheOptionNone = 0, cudaJitCacheOptionCG, cudaJitCacheOptionCA };
enum cudaJit_Fallback { cudaPreferPtx = 0, cudaPreferBinary };

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, enum cudaJitOption* jit_options,
                                void** jit_values, unsigned int jit_count, enum cudaLibraryOption* options,
                                void** values, unsigned int count);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, enum cudaJitOption* jit_options,
                                    void** jit_values, unsigned int jit_count,
                                    enum cudaLibraryOption* options, void** values, unsigned int count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int room, cudaLibrary_t library);
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name);
#ifndef __CUDACC__
// For files that the host's compiler compiles; in CUDA files simtcc adds the place of the launch.
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = 0);
#endif
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
                                            int device);
}

#ifndef __CUDACC__
template <class T>
cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                             cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared_bytes, stream);
}
#endif

// As references to pointers of any type.
template <class T>
cudaError_t cudaLibraryGetGlobal(T** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
  return cudaLibraryGetGlobal((void**)(void*)pointer, bytes, library, name);
}
template <class T>
cudaError_t cudaLibraryGetManaged(T** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
  return cudaLibraryGetManaged((void**)(void*)pointer, bytes, library, name);
}

#endif
