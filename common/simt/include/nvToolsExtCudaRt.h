// Names for the runtime API's objects, which no profiler here reads.
#ifndef SIMT_INCLUDE_NVTOOLSEXTCUDART_H
#define SIMT_INCLUDE_NVTOOLSEXTCUDART_H

#include "cuda_runtime_api.h"
#include "nvToolsExt.h"

static inline void nvtxNameCudaDeviceA(int, const char*) {}
static inline void nvtxNameCudaDeviceW(int, const wchar_t*) {}
static inline void nvtxNameCudaStreamA(cudaStream_t, const char*) {}
static inline void nvtxNameCudaStreamW(cudaStream_t, const wchar_t*) {}
static inline void nvtxNameCudaEventA(cudaEvent_t, const char*) {}
static inline void nvtxNameCudaEventW(cudaEvent_t, const wchar_t*) {}

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif
