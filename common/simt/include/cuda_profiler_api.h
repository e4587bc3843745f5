// Part of cuda_runtime_api.h here.
#ifndef SIMT_INCLUDE_CUDA_PROFILER_API_H
#define SIMT_INCLUDE_CUDA_PROFILER_API_H
#include "cuda_runtime_api.h"

#endif
