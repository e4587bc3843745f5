// Where newer toolkits have it.
#ifndef SIMT_INCLUDE_NVTX3_NVTOOLSEXTCUDART_H
#define SIMT_INCLUDE_NVTX3_NVTOOLSEXTCUDART_H
#include "../nvToolsExtCudaRt.h"

#endif
