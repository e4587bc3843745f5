// Where newer toolkits have it.
#ifndef SIMT_INCLUDE_NVTX3_NVTOOLSEXT_H
#define SIMT_INCLUDE_NVTX3_NVTOOLSEXT_H
#include "../nvToolsExt.h"

#endif
