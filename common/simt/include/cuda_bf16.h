// bfloat16, the upper half of a float, and pairs of it.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_fp16.h"

#define SIMT_FLOAT __nv_bfloat16
#define SIMT_PAIR __nv_bfloat162
#define SIMT_FLOAT_RAW __nv_bfloat16_raw
#define SIMT_PAIR_RAW __nv_bfloat162_raw
#define SIMT_BITS bfloat16_bits
#define SIMT_NAMED(before, behind) before##bfloat16##behind
#define SIMT_BOTH_OF_ONE __bfloat162bfloat162
#define SIMT_FLOATS_OF_PAIR __bfloat1622float2
#define SIMT_ATOMIC_ADD simt_atomic_add_bfloat16
#define SIMT_ATOMIC_ADD_PAIR simt_atomic_add_bfloat162
#define SIMT_MORE_CONSTRUCTORS                                                                               \
  SIMT_INLINE explicit __nv_bfloat16(const __half& value) : __nv_bfloat16(float(value)) {}
#include "simt_shim/small_float.inc"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
