// Part of cuda_runtime.h, as in the toolkit of today.
#ifndef SIMT_INCLUDE_SM_35_ATOMIC_FUNCTIONS_H
#define SIMT_INCLUDE_SM_35_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"

#endif
