// Part of cuda_runtime.h, as in the toolkit of today.
#ifndef SIMT_INCLUDE_DEVICE_DOUBLE_FUNCTIONS_H
#define SIMT_INCLUDE_DEVICE_DOUBLE_FUNCTIONS_H
#include "cuda_runtime.h"

#endif
