// Math functions and intrinsics that CUDA has and the C++ library has not. Approximate intrinsics give the C
// library's more accurate result.
#ifndef SIMT_INCLUDE_SIMT_SHIM_MATH_H
#define SIMT_INCLUDE_SIMT_SHIM_MATH_H

#include "vector_types.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <math.h>
#include <stdlib.h>

#define SIMT_MIN_MAX(A, B, R)                                                                                \
  SIMT_INLINE constexpr R min(A a, B b) { return static_cast<R>(a) < static_cast<R>(b) ? a : b; }            \
  SIMT_INLINE constexpr R max(A a, B b) { return static_cast<R>(a) > static_cast<R>(b) ? a : b; }
SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned, unsigned, unsigned)
SIMT_MIN_MAX(int, unsigned, unsigned)
SIMT_MIN_MAX(unsigned, int, unsigned)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(long, unsigned long, unsigned long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef SIMT_MIN_MAX
SIMT_INLINE constexpr unsigned umin(unsigned a, unsigned b) { return min(a, b); }
SIMT_INLINE constexpr unsigned umax(unsigned a, unsigned b) { return max(a, b); }
SIMT_INLINE constexpr long long llmin(long long a, long long b) { return min(a, b); }
SIMT_INLINE constexpr long long llmax(long long a, long long b) { return max(a, b); }
SIMT_INLINE constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
SIMT_INLINE constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}

// Of two floating-point values these return the number if the other is NaN, as on the device.
SIMT_INLINE float min(float a, float b) { return fminf(a, b); }
SIMT_INLINE float max(float a, float b) { return fmaxf(a, b); }
SIMT_INLINE double min(double a, double b) { return fmin(a, b); }
SIMT_INLINE double max(double a, double b) { return fmax(a, b); }
SIMT_INLINE double min(float a, double b) { return fmin(a, b); }
SIMT_INLINE double max(float a, double b) { return fmax(a, b); }
SIMT_INLINE double min(double a, float b) { return fmin(a, b); }
SIMT_INLINE double max(double a, float b) { return fmax(a, b); }

/// The number below which the standard normal distribution has the share `p`: Newton's method on the logarithm of the
/// distribution function, which is concave.
SIMT_UNINSTRUMENTED inline double normcdfinv(double p) {
  if (!(p > 0) || !(p < 1)) return p == 0 ? -HUGE_VAL : p == 1 ? HUGE_VAL : nan("");
  const bool is_upper = p > 0.5;
  const double share = is_upper ? 1 - p : p;
  double x = 0;
  for (int i = 0; i < 20; ++i) {
    const double below = 0.5 * erfc(-x * 0.70710678118654752440);
    const double density = 0.39894228040143267794 * exp(-0.5 * x * x);
    const double step = log(below / share) * below / density;
    x -= step;
    if (fabs(step) < 1e-15 * (1 + fabs(x))) break;
  }
  return is_upper ? -x : x;
}
SIMT_UNINSTRUMENTED inline float normcdfinvf(float p) {
  return static_cast<float>(normcdfinv(static_cast<double>(p)));
}

SIMT_INLINE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
SIMT_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
SIMT_INLINE float rsqrt(float x) { return 1.0f / sqrtf(x); }
SIMT_INLINE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
SIMT_INLINE float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
SIMT_INLINE float __frcp_rn(float x) { return 1.0f / x; }
SIMT_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }
SIMT_INLINE double __dsqrt_rn(double x) { return sqrt(x); }
SIMT_INLINE float __fadd_rn(float a, float b) { return a + b; }
SIMT_INLINE float __fsub_rn(float a, float b) { return a - b; }
SIMT_INLINE float __fmul_rn(float a, float b) { return a * b; }
SIMT_INLINE float __fdiv_rn(float a, float b) { return a / b; }
SIMT_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_INLINE double __dadd_rn(double a, double b) { return a + b; }
SIMT_INLINE double __dmul_rn(double a, double b) { return a * b; }
SIMT_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
SIMT_INLINE float __fdividef(float a, float b) { return a / b; }
SIMT_INLINE float __expf(float x) { return expf(x); }
SIMT_INLINE float __exp10f(float x) { return powf(10.0f, x); }
SIMT_INLINE float __logf(float x) { return logf(x); }
SIMT_INLINE float __log2f(float x) { return log2f(x); }
SIMT_INLINE float __log10f(float x) { return log10f(x); }
SIMT_INLINE float __powf(float x, float y) { return powf(x, y); }
SIMT_INLINE float __sinf(float x) { return sinf(x); }
SIMT_INLINE float __cosf(float x) { return cosf(x); }
SIMT_INLINE float __tanf(float x) { return tanf(x); }
SIMT_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
SIMT_INLINE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
SIMT_INLINE float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }

SIMT_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
SIMT_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SIMT_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
SIMT_INLINE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
SIMT_INLINE int __ffs(int x) { return __builtin_ffs(x); }
SIMT_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
SIMT_INLINE unsigned __brev(unsigned x) {
  x = (x >> 16) | (x << 16);
  x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  return ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
}
SIMT_INLINE unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
SIMT_INLINE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
SIMT_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
SIMT_INLINE int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
SIMT_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
  return static_cast<unsigned>((both << (shift & 31)) >> 32);
}
SIMT_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
  return static_cast<unsigned>(both >> (shift & 31));
}

#define SIMT_BIT_CAST(name, To, From)                                                                        \
  SIMT_INLINE To name(From value) { return __builtin_bit_cast(To, value); }
SIMT_BIT_CAST(__int_as_float, float, int)
SIMT_BIT_CAST(__uint_as_float, float, unsigned)
SIMT_BIT_CAST(__float_as_int, int, float)
SIMT_BIT_CAST(__float_as_uint, unsigned, float)
SIMT_BIT_CAST(__longlong_as_double, double, long long)
SIMT_BIT_CAST(__double_as_longlong, long long, double)
#undef SIMT_BIT_CAST

#endif
