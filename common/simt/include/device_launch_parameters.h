// threadIdx, blockIdx, blockDim, gridDim, warpSize.
#pragma once
#include "simt_shim/builtins.h"
