// threadIdx, blockIdx, blockDim, gridDim, warpSize.
#ifndef SIMT_INCLUDE_DEVICE_LAUNCH_PARAMETERS_H
#define SIMT_INCLUDE_DEVICE_LAUNCH_PARAMETERS_H
#include "simt_shim/builtins.h"

#endif
