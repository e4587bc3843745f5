// Where newer toolkits have it.
#ifndef SIMT_INCLUDE_NVTX3_NVTOOLSEXTCUDA_H
#define SIMT_INCLUDE_NVTX3_NVTOOLSEXTCUDA_H
#include "../nvToolsExtCuda.h"

#endif
