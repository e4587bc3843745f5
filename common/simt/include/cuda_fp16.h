// IEEE 754's 16-bit floats, and pairs of them.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"
#include "simt_shim/small_float_bits.h"

#include <type_traits>

#define SIMT_FLOAT __half
#define SIMT_PAIR __half2
#define SIMT_FLOAT_RAW __half_raw
#define SIMT_PAIR_RAW __half2_raw
#define SIMT_BITS half_bits
#define SIMT_NAMED(before, behind) before##half##behind
#define SIMT_BOTH_OF_ONE __half2half2
#define SIMT_FLOATS_OF_PAIR __half22float2
#define SIMT_ATOMIC_ADD simt_atomic_add_half
#define SIMT_ATOMIC_ADD_PAIR simt_atomic_add_half2
#define SIMT_MORE_CONSTRUCTORS
#include "simt_shim/small_float.inc"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#endif
