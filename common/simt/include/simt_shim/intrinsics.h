// Conversions, bit tricks, integer and further floating-point intrinsics.
#ifndef SIMT_INCLUDE_SIMT_SHIM_INTRINSICS_H
#define SIMT_INCLUDE_SIMT_SHIM_INTRINSICS_H

#include "simt_shim/math.h"

#include <limits>

namespace simt::detail {

/// Conversions to integers stop at the type's limits; NaN becomes 0 between 32-bit types, else the top bit
/// alone (as on an H200).
template <class To, class From>
SIMT_INLINE To to_integer(From rounded) {
  if (rounded != rounded)
    return sizeof(From) == 8 || sizeof(To) == 8 ? static_cast<To>(To{1} << (sizeof(To) * 8 - 1)) : To{0};
  // The limit itself may not be a From, so it is compared as a power of two.
  constexpr From beyond = From(std::numeric_limits<To>::max() / 2 + 1) * 2;
  if (rounded >= beyond) return std::numeric_limits<To>::max();
  if (rounded < From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  return static_cast<To>(rounded);
}

} // namespace simt::detail

#define SIMT_TO_INTEGER(name, To, From)                                                                      \
  SIMT_INLINE To name##_rn(From x) { return ::simt::detail::to_integer<To>(std::nearbyint(x)); }             \
  SIMT_INLINE To name##_rz(From x) { return ::simt::detail::to_integer<To>(std::trunc(x)); }                 \
  SIMT_INLINE To name##_rd(From x) { return ::simt::detail::to_integer<To>(std::floor(x)); }                 \
  SIMT_INLINE To name##_ru(From x) { return ::simt::detail::to_integer<To>(std::ceil(x)); }
SIMT_TO_INTEGER(__float2int, int, float)
SIMT_TO_INTEGER(__float2uint, unsigned, float)
SIMT_TO_INTEGER(__float2ll, long long, float)
SIMT_TO_INTEGER(__float2ull, unsigned long long, float)
SIMT_TO_INTEGER(__double2int, int, double)
SIMT_TO_INTEGER(__double2uint, unsigned, double)
SIMT_TO_INTEGER(__double2ll, long long, double)
SIMT_TO_INTEGER(__double2ull, unsigned long long, double)
#undef SIMT_TO_INTEGER

SIMT_INLINE float __int2float_rn(int x) { return static_cast<float>(x); }
SIMT_INLINE float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
SIMT_INLINE float __ll2float_rn(long long x) { return static_cast<float>(x); }
SIMT_INLINE float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
SIMT_INLINE double __int2double_rn(int x) { return x; }
SIMT_INLINE double __uint2double_rn(unsigned x) { return x; }
SIMT_INLINE double __ll2double_rn(long long x) { return static_cast<double>(x); }
SIMT_INLINE double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
SIMT_INLINE float __double2float_rn(double x) { return static_cast<float>(x); }

SIMT_INLINE int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
SIMT_INLINE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
SIMT_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

SIMT_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return result;
}
SIMT_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
SIMT_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
SIMT_INLINE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
SIMT_INLINE int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
SIMT_INLINE int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
SIMT_INLINE unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
SIMT_INLINE unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
SIMT_INLINE unsigned __sad(int a, int b, unsigned sum) {
  unsigned difference = static_cast<unsigned>(a) - static_cast<unsigned>(b);
  return sum + (a < b ? 0u - difference : difference);
}
SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned sum) { return sum + (a < b ? b - a : a - b); }

SIMT_INLINE int __dp4a(int a, int b, int sum) {
  unsigned result = static_cast<unsigned>(sum);
  for (int i = 0; i < 32; i += 8)
    result += static_cast<unsigned>(static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i));
  return static_cast<int>(result);
}
SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
  for (int i = 0; i < 32; i += 8) sum += (a >> i & 0xff) * (b >> i & 0xff);
  return sum;
}
SIMT_INLINE int __dp4a(char4 a, char4 b, int sum) {
  return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
SIMT_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned sum) {
  return sum + static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

SIMT_INLINE double __dsub_rn(double a, double b) { return a - b; }
SIMT_INLINE double __ddiv_rn(double a, double b) { return a / b; }
SIMT_INLINE double __drcp_rn(double x) { return 1.0 / x; }
SIMT_INLINE float fdividef(float a, float b) { return a / b; }
SIMT_INLINE float __tanhf(float x) { return tanhf(x); }
SIMT_INLINE void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
// Multiples of pi are reduced before they are rounded: sinpi(1) is 0.
SIMT_INLINE double sinpi(double x) {
  double rest = fmod(x, 2.0);
  if (rest == 0.0 || rest == 1.0 || rest == -1.0) return copysign(0.0, x);
  return sin(rest * 3.14159265358979323846);
}
SIMT_INLINE double cospi(double x) {
  double rest = fabs(fmod(x, 2.0));
  if (rest == 0.5 || rest == 1.5) return 0.0;
  return cos(rest * 3.14159265358979323846);
}
SIMT_INLINE float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
SIMT_INLINE float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
SIMT_INLINE void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
SIMT_INLINE void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
SIMT_INLINE double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
SIMT_INLINE float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
SIMT_INLINE float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
SIMT_INLINE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
SIMT_INLINE double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
SIMT_INLINE float norm4df(float a, float b, float c, float d) { return sqrtf(a * a + b * b + c * c + d * d); }
SIMT_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
SIMT_INLINE double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
SIMT_INLINE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
SIMT_INLINE double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
SIMT_INLINE float rnorm4df(float a, float b, float c, float d) { return 1.0f / norm4df(a, b, c, d); }
/// The Euclidean norm of `count` numbers.
SIMT_INLINE double norm(int count, const double* numbers) {
  double result = 0;
  for (int i = 0; i < count; ++i) result = hypot(result, numbers[i]);
  return result;
}
SIMT_INLINE float normf(int count, const float* numbers) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  return static_cast<float>(sqrt(sum));
}
SIMT_INLINE double rnorm(int count, const double* numbers) { return 1.0 / norm(count, numbers); }
SIMT_INLINE float rnormf(int count, const float* numbers) { return 1.0f / normf(count, numbers); }

/// The inverse of erfc, by the normal distribution's.
SIMT_INLINE double erfcinv(double y) {
  return 0.0 - 0.70710678118654752440 * normcdfinv(0.5 * y); // no negative zero
}
SIMT_INLINE float erfcinvf(float y) { return static_cast<float>(erfcinv(static_cast<double>(y))); }
/// The inverse of erf: Newton's method around 0, and where erf is near 1 or -1, from what it lacks to that.
SIMT_UNINSTRUMENTED inline double erfinv(double x) {
  if (!(fabs(x) < 0.5)) return copysign(erfcinv(1.0 - fabs(x)), x);
  double y = x * 0.88622692545275801365; // half of pi's square root
  for (int i = 0; i < 6; ++i) y -= (erf(y) - x) * 0.88622692545275801365 * exp(y * y);
  return y;
}
SIMT_INLINE float erfinvf(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
/// exp(x * x) * erfc(x), for large x by its asymptotic series.
SIMT_UNINSTRUMENTED inline double erfcx(double x) {
  if (!(x >= 6.0)) return exp(x * x) * erfc(x);
  double sum = 1.0, term = 1.0;
  for (int i = 1; i < 30 && fabs(term) > 1e-17; ++i) sum += term *= -(2 * i - 1) / (2 * x * x);
  return sum * 0.56418958354775628695 / x;
}
SIMT_INLINE float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }

/// Modified Bessel functions of the first kind, order 0 and 1, by their power series, of which all terms have one sign.
SIMT_UNINSTRUMENTED inline double cyl_bessel_i0(double x) {
  double sum = 1.0, term = 1.0;
  for (int i = 1; term > 1e-17 * sum && i < 2000; ++i) sum += term *= (0.5 * x / i) * (0.5 * x / i);
  return sum;
}
SIMT_UNINSTRUMENTED inline double cyl_bessel_i1(double x) {
  double sum = 1.0, term = 1.0;
  for (int i = 1; term > 1e-17 * sum && i < 2000; ++i) sum += term *= (0.5 * x / i) * (0.5 * x / (i + 1));
  return 0.5 * x * sum;
}
SIMT_INLINE float cyl_bessel_i0f(float x) {
  return static_cast<float>(cyl_bessel_i0(static_cast<double>(x)));
}
SIMT_INLINE float cyl_bessel_i1f(float x) {
  return static_cast<float>(cyl_bessel_i1(static_cast<double>(x)));
}

#endif
