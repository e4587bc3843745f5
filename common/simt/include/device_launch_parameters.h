// threadIdx, blockIdx, blockDim, gridDim, warpSize.
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "simt_shim/builtins.h"

#endif
