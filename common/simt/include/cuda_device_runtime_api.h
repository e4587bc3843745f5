// The launches and queries of device code are part of cuda_runtime.h here.
#ifndef SIMT_INCLUDE_CUDA_DEVICE_RUNTIME_API_H
#define SIMT_INCLUDE_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime.h"

#endif
