// The simulator's own: see cuda_pipeline_primitives.h.
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#include "cuda_pipeline_primitives.h"
#endif
