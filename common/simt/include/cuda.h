// Programs of the runtime API that include cuda.h as well need its version and its result type, no more. The
// driver API itself (cuInit, cuModuleLoad, ...) is not simulated.
#ifndef SIMT_INCLUDE_CUDA_H
#define SIMT_INCLUDE_CUDA_H

#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

#endif
