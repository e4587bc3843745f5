// Arithmetic and conversions that round down (_rd), up (_ru) or towards zero (_rz), as interval arithmetic needs them.
#ifndef SIMT_INCLUDE_SIMT_SHIM_DIRECTED_ROUNDING_H
#define SIMT_INCLUDE_SIMT_SHIM_DIRECTED_ROUNDING_H

#include "simt_shim/entry_points.h"

enum simt_direction { simt_down, simt_up, simt_towards_zero };
enum simt_operation {
  simt_add,
  simt_subtract,
  simt_multiply,
  simt_divide,
  simt_multiply_add,
  simt_square_root
};

extern "C" {
float __simt_directed_float(enum simt_direction direction, enum simt_operation operation, float a, float b,
                            float c);
double __simt_directed_double(enum simt_direction direction, enum simt_operation operation, double a,
                              double b, double c);
float __simt_float_of_double(enum simt_direction direction, double x);
float __simt_float_of_signed(enum simt_direction direction, long long x);
float __simt_float_of_unsigned(enum simt_direction direction, unsigned long long x);
double __simt_double_of_signed(enum simt_direction direction, long long x);
double __simt_double_of_unsigned(enum simt_direction direction, unsigned long long x);
}

#define SIMT_DIRECTED(suffix, direction)                                                                     \
  SIMT_INLINE float __fadd_##suffix(float a, float b) {                                                      \
    return __simt_directed_float(direction, simt_add, a, b, 0);                                              \
  }                                                                                                          \
  SIMT_INLINE float __fsub_##suffix(float a, float b) {                                                      \
    return __simt_directed_float(direction, simt_subtract, a, b, 0);                                         \
  }                                                                                                          \
  SIMT_INLINE float __fmul_##suffix(float a, float b) {                                                      \
    return __simt_directed_float(direction, simt_multiply, a, b, 0);                                         \
  }                                                                                                          \
  SIMT_INLINE float __fdiv_##suffix(float a, float b) {                                                      \
    return __simt_directed_float(direction, simt_divide, a, b, 0);                                           \
  }                                                                                                          \
  SIMT_INLINE float __frcp_##suffix(float x) {                                                               \
    return __simt_directed_float(direction, simt_divide, 1, x, 0);                                           \
  }                                                                                                          \
  SIMT_INLINE float __fsqrt_##suffix(float x) {                                                              \
    return __simt_directed_float(direction, simt_square_root, x, 0, 0);                                      \
  }                                                                                                          \
  SIMT_INLINE float __fmaf_##suffix(float a, float b, float c) {                                             \
    return __simt_directed_float(direction, simt_multiply_add, a, b, c);                                     \
  }                                                                                                          \
  SIMT_INLINE float __fmaf_ieee_##suffix(float a, float b, float c) { return __fmaf_##suffix(a, b, c); }     \
  SIMT_INLINE double __dadd_##suffix(double a, double b) {                                                   \
    return __simt_directed_double(direction, simt_add, a, b, 0);                                             \
  }                                                                                                          \
  SIMT_INLINE double __dsub_##suffix(double a, double b) {                                                   \
    return __simt_directed_double(direction, simt_subtract, a, b, 0);                                        \
  }                                                                                                          \
  SIMT_INLINE double __dmul_##suffix(double a, double b) {                                                   \
    return __simt_directed_double(direction, simt_multiply, a, b, 0);                                        \
  }                                                                                                          \
  SIMT_INLINE double __ddiv_##suffix(double a, double b) {                                                   \
    return __simt_directed_double(direction, simt_divide, a, b, 0);                                          \
  }                                                                                                          \
  SIMT_INLINE double __drcp_##suffix(double x) {                                                             \
    return __simt_directed_double(direction, simt_divide, 1, x, 0);                                          \
  }                                                                                                          \
  SIMT_INLINE double __dsqrt_##suffix(double x) {                                                            \
    return __simt_directed_double(direction, simt_square_root, x, 0, 0);                                     \
  }                                                                                                          \
  SIMT_INLINE double __fma_##suffix(double a, double b, double c) {                                          \
    return __simt_directed_double(direction, simt_multiply_add, a, b, c);                                    \
  }                                                                                                          \
  SIMT_INLINE float __double2float_##suffix(double x) { return __simt_float_of_double(direction, x); }       \
  SIMT_INLINE float __int2float_##suffix(int x) { return __simt_float_of_signed(direction, x); }             \
  SIMT_INLINE float __uint2float_##suffix(unsigned x) { return __simt_float_of_unsigned(direction, x); }     \
  SIMT_INLINE float __ll2float_##suffix(long long x) { return __simt_float_of_signed(direction, x); }        \
  SIMT_INLINE float __ull2float_##suffix(unsigned long long x) {                                             \
    return __simt_float_of_unsigned(direction, x);                                                           \
  }                                                                                                          \
  SIMT_INLINE double __ll2double_##suffix(long long x) { return __simt_double_of_signed(direction, x); }     \
  SIMT_INLINE double __ull2double_##suffix(unsigned long long x) {                                           \
    return __simt_double_of_unsigned(direction, x);                                                          \
  }
SIMT_DIRECTED(rd, simt_down)
SIMT_DIRECTED(ru, simt_up)
SIMT_DIRECTED(rz, simt_towards_zero)
#undef SIMT_DIRECTED
SIMT_INLINE float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

#endif
