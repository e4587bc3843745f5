// 16-bit floats as the simulator provides them: conversions and arithmetic are exact (rounded once), the
// functions of hexp's kind are those of float, rounded. What stands in no list here is a compile error.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"
#include "simt_shim/half_bits.h"

#include <type_traits>

struct __half_raw {
  unsigned short x;
};

struct __half {
  unsigned short simt_bits;

  __half() = default;
  SIMT_INLINE __half(const __half_raw& raw) : simt_bits(raw.x) {}
  SIMT_INLINE __half(float value) : simt_bits(simt::half_bits::from_float(value)) {}
  SIMT_INLINE __half(double value) : simt_bits(simt::half_bits::from_double(value)) {}
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  SIMT_INLINE __half(Integer value) : simt_bits(simt::half_bits::from_double(static_cast<double>(value))) {}

  SIMT_INLINE operator __half_raw() const { return {simt_bits}; }
  SIMT_INLINE operator float() const { return simt::half_bits::to_float(simt_bits); }
  SIMT_INLINE explicit operator bool() const { return (simt_bits & 0x7fff) != 0; }
#define SIMT_HALF_TO(T)                                                                                      \
  SIMT_INLINE explicit operator T() const {                                                                  \
    return simt::detail::to_integer<T>(std::trunc(simt::half_bits::to_float(simt_bits)));                    \
  }
  SIMT_HALF_TO(int)
  SIMT_HALF_TO(unsigned)
  SIMT_HALF_TO(long long)
  SIMT_HALF_TO(unsigned long long)
  SIMT_HALF_TO(short)
  SIMT_HALF_TO(unsigned short)
#undef SIMT_HALF_TO
};

/// Two halves that move as one 4-byte access.
struct alignas(4) __half2 {
  __half x, y;

  __half2() = default;
  SIMT_INLINE __half2(const __half& a, const __half& b) : x(a), y(b) {}
  SIMT_INLINE explicit __half2(const __half& both) : x(both), y(both) {}
  [[gnu::always_inline]] __half2(const __half2& other) { ::simt::copy_vector<4>(this, &other); }
  [[gnu::always_inline]] __half2& operator=(const __half2& other) {
    ::simt::copy_vector<4>(this, &other);
    return *this;
  }
};

template <>
inline constexpr bool simt::has_hints<__half> = true;
template <>
inline constexpr bool simt::has_hints<__half2> = true;

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

namespace simt::detail {

template <>
struct IsHalf<__half> : std::true_type {};
template <>
struct IsHalf<__half2> : std::true_type {};

SIMT_INLINE __half half_of(unsigned short bits) { return __half_raw{bits}; }
SIMT_INLINE __half half_from(float value) { return half_of(half_bits::from_float(value)); }
SIMT_INLINE __half saturated(__half value) {
  const float x = value;
  return x > 0 ? (x < 1 ? value : half_of(0x3c00)) : half_of(0); // NaN becomes 0
}
SIMT_INLINE bool is_nan(__half a) { return (a.simt_bits & 0x7fff) > 0x7c00; }

} // namespace simt::detail

SIMT_INLINE __half __short_as_half(short bits) { return __half_raw{static_cast<unsigned short>(bits)}; }
SIMT_INLINE __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
SIMT_INLINE short __half_as_short(__half a) { return static_cast<short>(a.simt_bits); }
SIMT_INLINE unsigned short __half_as_ushort(__half a) { return a.simt_bits; }

SIMT_INLINE float __half2float(__half a) { return a; }
SIMT_INLINE __half __float2half(float a) { return a; }
SIMT_INLINE __half __double2half(double a) { return a; }
#define SIMT_TO_HALF(name, From)                                                                             \
  SIMT_INLINE __half name##_rn(From a) {                                                                     \
    return simt::detail::half_of(simt::half_bits::from_double(static_cast<double>(a)));                      \
  }                                                                                                          \
  SIMT_INLINE __half name##_rz(From a) {                                                                     \
    return simt::detail::half_of(                                                                            \
        simt::half_bits::from_double(static_cast<double>(a), simt::half_bits::Rounding::zero));              \
  }                                                                                                          \
  SIMT_INLINE __half name##_rd(From a) {                                                                     \
    return simt::detail::half_of(                                                                            \
        simt::half_bits::from_double(static_cast<double>(a), simt::half_bits::Rounding::down));              \
  }                                                                                                          \
  SIMT_INLINE __half name##_ru(From a) {                                                                     \
    return simt::detail::half_of(                                                                            \
        simt::half_bits::from_double(static_cast<double>(a), simt::half_bits::Rounding::up));                \
  }
SIMT_TO_HALF(__float2half, float)
SIMT_TO_HALF(__int2half, int)
SIMT_TO_HALF(__uint2half, unsigned)
SIMT_TO_HALF(__short2half, short)
SIMT_TO_HALF(__ushort2half, unsigned short)
#undef SIMT_TO_HALF
#define SIMT_FROM_HALF(name, To)                                                                             \
  SIMT_INLINE To name##_rn(__half a) { return simt::detail::to_integer<To>(std::nearbyint(float(a))); }      \
  SIMT_INLINE To name##_rz(__half a) { return simt::detail::to_integer<To>(std::trunc(float(a))); }          \
  SIMT_INLINE To name##_rd(__half a) { return simt::detail::to_integer<To>(std::floor(float(a))); }          \
  SIMT_INLINE To name##_ru(__half a) { return simt::detail::to_integer<To>(std::ceil(float(a))); }
SIMT_FROM_HALF(__half2int, int)
SIMT_FROM_HALF(__half2uint, unsigned)
SIMT_FROM_HALF(__half2short, short)
SIMT_FROM_HALF(__half2ushort, unsigned short)
SIMT_FROM_HALF(__half2ll, long long)
SIMT_FROM_HALF(__half2ull, unsigned long long)
#undef SIMT_FROM_HALF

// Pairs and their parts.
SIMT_INLINE __half2 make_half2(__half x, __half y) { return {x, y}; }
SIMT_INLINE __half2 __halves2half2(__half x, __half y) { return {x, y}; }
SIMT_INLINE __half2 __half2half2(__half a) { return {a, a}; }
SIMT_INLINE __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
SIMT_INLINE __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
SIMT_INLINE __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
SIMT_INLINE float2 __half22float2(__half2 a) { return {float(a.x), float(a.y)}; }
SIMT_INLINE float __low2float(__half2 a) { return a.x; }
SIMT_INLINE float __high2float(__half2 a) { return a.y; }
SIMT_INLINE __half __low2half(__half2 a) { return a.x; }
SIMT_INLINE __half __high2half(__half2 a) { return a.y; }
SIMT_INLINE __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
SIMT_INLINE __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
SIMT_INLINE __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
SIMT_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
SIMT_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

// Arithmetic of one and of two.
#define SIMT_HALF_BINARY(name, pair, operation)                                                              \
  SIMT_INLINE __half name(__half a, __half b) {                                                              \
    return simt::detail::half_of(simt::half_bits::operation(a.simt_bits, b.simt_bits));                      \
  }                                                                                                          \
  SIMT_INLINE __half2 pair(__half2 a, __half2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
SIMT_HALF_BINARY(__hadd, __hadd2, add)
SIMT_HALF_BINARY(__hadd_rn, __hadd2_rn, add)
SIMT_HALF_BINARY(__hsub, __hsub2, sub)
SIMT_HALF_BINARY(__hsub_rn, __hsub2_rn, sub)
SIMT_HALF_BINARY(__hmul, __hmul2, mul)
SIMT_HALF_BINARY(__hmul_rn, __hmul2_rn, mul)
SIMT_HALF_BINARY(__hdiv, __h2div, div)
#undef SIMT_HALF_BINARY
SIMT_INLINE __half __hfma(__half a, __half b, __half c) {
  return simt::detail::half_of(simt::half_bits::fma(a.simt_bits, b.simt_bits, c.simt_bits));
}
SIMT_INLINE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
#define SIMT_HALF_SATURATED(name, pair, plain)                                                               \
  SIMT_INLINE __half name(__half a, __half b) { return simt::detail::saturated(plain(a, b)); }               \
  SIMT_INLINE __half2 pair(__half2 a, __half2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
SIMT_HALF_SATURATED(__hadd_sat, __hadd2_sat, __hadd)
SIMT_HALF_SATURATED(__hsub_sat, __hsub2_sat, __hsub)
SIMT_HALF_SATURATED(__hmul_sat, __hmul2_sat, __hmul)
#undef SIMT_HALF_SATURATED
SIMT_INLINE __half __hfma_sat(__half a, __half b, __half c) {
  return simt::detail::saturated(__hfma(a, b, c));
}
SIMT_INLINE __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
  return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}
SIMT_INLINE __half __hfma_relu(__half a, __half b, __half c) {
  const __half result = __hfma(a, b, c);
  return float(result) < 0 ? simt::detail::half_of(0) : result;
}
SIMT_INLINE __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c) {
  return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}
SIMT_INLINE __half __hneg(__half a) { return __half_raw{static_cast<unsigned short>(a.simt_bits ^ 0x8000)}; }
SIMT_INLINE __half __habs(__half a) { return __half_raw{static_cast<unsigned short>(a.simt_bits & 0x7fff)}; }
SIMT_INLINE __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
SIMT_INLINE __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }

SIMT_INLINE __half operator+(const __half& a, const __half& b) { return __hadd(a, b); }
SIMT_INLINE __half operator-(const __half& a, const __half& b) { return __hsub(a, b); }
SIMT_INLINE __half operator*(const __half& a, const __half& b) { return __hmul(a, b); }
SIMT_INLINE __half operator/(const __half& a, const __half& b) { return __hdiv(a, b); }
SIMT_INLINE __half operator+(const __half& a) { return a; }
SIMT_INLINE __half operator-(const __half& a) { return __hneg(a); }
SIMT_INLINE __half2 operator+(const __half2& a, const __half2& b) { return __hadd2(a, b); }
SIMT_INLINE __half2 operator-(const __half2& a, const __half2& b) { return __hsub2(a, b); }
SIMT_INLINE __half2 operator*(const __half2& a, const __half2& b) { return __hmul2(a, b); }
SIMT_INLINE __half2 operator/(const __half2& a, const __half2& b) { return __h2div(a, b); }
SIMT_INLINE __half2 operator+(const __half2& a) { return a; }
SIMT_INLINE __half2 operator-(const __half2& a) { return __hneg2(a); }
#define SIMT_HALF_ASSIGN(T, sign)                                                                            \
  SIMT_INLINE T& operator sign##=(T& a, const T& b) { return a = a sign b; }
SIMT_HALF_ASSIGN(__half, +)
SIMT_HALF_ASSIGN(__half, -)
SIMT_HALF_ASSIGN(__half, *)
SIMT_HALF_ASSIGN(__half, /)
SIMT_HALF_ASSIGN(__half2, +)
SIMT_HALF_ASSIGN(__half2, -)
SIMT_HALF_ASSIGN(__half2, *)
SIMT_HALF_ASSIGN(__half2, /)
#undef SIMT_HALF_ASSIGN
SIMT_INLINE __half& operator++(__half& a) { return a += __half(1); }
SIMT_INLINE __half& operator--(__half& a) { return a -= __half(1); }

// Comparisons; those that end in u are also true if one of the two is no number.
#define SIMT_HALF_COMPARE(name, sign)                                                                        \
  SIMT_INLINE bool name(__half a, __half b) { return float(a) sign float(b); }                               \
  SIMT_INLINE bool name##u(__half a, __half b) {                                                             \
    return simt::detail::is_nan(a) || simt::detail::is_nan(b) || float(a) sign float(b);                     \
  }                                                                                                          \
  SIMT_INLINE __half2 name##2(__half2 a, __half2 b) {                                                        \
    return {__half(name(a.x, b.x)), __half(name(a.y, b.y))};                                                 \
  }
SIMT_HALF_COMPARE(__heq, ==)
SIMT_HALF_COMPARE(__hlt, <)
SIMT_HALF_COMPARE(__hle, <=)
SIMT_HALF_COMPARE(__hgt, >)
SIMT_HALF_COMPARE(__hge, >=)
#undef SIMT_HALF_COMPARE
SIMT_INLINE bool __hne(__half a, __half b) { // of numbers only, other than C++'s !=
  return !simt::detail::is_nan(a) && !simt::detail::is_nan(b) && float(a) != float(b);
}
SIMT_INLINE bool __hneu(__half a, __half b) { return float(a) != float(b); }
SIMT_INLINE __half2 __hne2(__half2 a, __half2 b) {
  return {__half(__hne(a.x, b.x)), __half(__hne(a.y, b.y))};
}
#define SIMT_HALF_BOTH(name, single)                                                                         \
  SIMT_INLINE bool name(__half2 a, __half2 b) { return single(a.x, b.x) && single(a.y, b.y); }
SIMT_HALF_BOTH(__hbeq2, __heq)
SIMT_HALF_BOTH(__hbne2, __hne)
SIMT_HALF_BOTH(__hblt2, __hlt)
SIMT_HALF_BOTH(__hble2, __hle)
SIMT_HALF_BOTH(__hbgt2, __hgt)
SIMT_HALF_BOTH(__hbge2, __hge)
#undef SIMT_HALF_BOTH
SIMT_INLINE bool operator==(const __half& a, const __half& b) { return __heq(a, b); }
SIMT_INLINE bool operator!=(const __half& a, const __half& b) { return __hneu(a, b); }
SIMT_INLINE bool operator<(const __half& a, const __half& b) { return __hlt(a, b); }
SIMT_INLINE bool operator<=(const __half& a, const __half& b) { return __hle(a, b); }
SIMT_INLINE bool operator>(const __half& a, const __half& b) { return __hgt(a, b); }
SIMT_INLINE bool operator>=(const __half& a, const __half& b) { return __hge(a, b); }
SIMT_INLINE bool operator==(const __half2& a, const __half2& b) { return __hbeq2(a, b); }
SIMT_INLINE bool __hisnan(__half a) { return simt::detail::is_nan(a); }
SIMT_INLINE int __hisinf(__half a) {
  return (a.simt_bits & 0x7fff) == 0x7c00 ? (a.simt_bits & 0x8000 ? -1 : 1) : 0;
}
SIMT_INLINE __half2 __hisnan2(__half2 a) { return {__half(__hisnan(a.x)), __half(__hisnan(a.y))}; }
// Of a number and NaN the number; of zeros with two signs the larger is +0.
SIMT_INLINE __half __hmax(__half a, __half b) {
  if (__hisnan(a)) return __hisnan(b) ? __ushort_as_half(0x7fff) : b;
  if (__hisnan(b)) return a;
  if (float(a) == float(b)) return __ushort_as_half(a.simt_bits & b.simt_bits);
  return float(a) > float(b) ? a : b;
}
SIMT_INLINE __half __hmin(__half a, __half b) {
  if (__hisnan(a)) return __hisnan(b) ? __ushort_as_half(0x7fff) : b;
  if (__hisnan(b)) return a;
  if (float(a) == float(b)) return __ushort_as_half(a.simt_bits | b.simt_bits);
  return float(a) < float(b) ? a : b;
}
SIMT_INLINE __half __hmax_nan(__half a, __half b) {
  return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fff) : __hmax(a, b);
}
SIMT_INLINE __half __hmin_nan(__half a, __half b) {
  return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fff) : __hmin(a, b);
}
SIMT_INLINE __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
SIMT_INLINE __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }

// Functions; the exact ones are hsqrt, hrcp and the roundings to whole numbers.
#define SIMT_HALF_FUNCTION(name, expression)                                                                 \
  SIMT_INLINE __half h##name(__half half_argument) {                                                         \
    const double x = float(half_argument);                                                                   \
    return simt::detail::half_of(simt::half_bits::from_double(expression));                                  \
  }                                                                                                          \
  SIMT_INLINE __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
SIMT_HALF_FUNCTION(sqrt, ::sqrt(x))
SIMT_HALF_FUNCTION(rsqrt, 1 / ::sqrt(x))
SIMT_HALF_FUNCTION(rcp, 1 / x)
SIMT_HALF_FUNCTION(exp, ::exp(x))
SIMT_HALF_FUNCTION(exp2, ::exp2(x))
SIMT_HALF_FUNCTION(exp10, ::pow(10.0, x))
SIMT_HALF_FUNCTION(log, ::log(x))
SIMT_HALF_FUNCTION(log2, ::log2(x))
SIMT_HALF_FUNCTION(log10, ::log10(x))
SIMT_HALF_FUNCTION(sin, ::sin(x))
SIMT_HALF_FUNCTION(cos, ::cos(x))
SIMT_HALF_FUNCTION(tanh, ::tanh(x))
SIMT_HALF_FUNCTION(ceil, ::ceil(x))
SIMT_HALF_FUNCTION(floor, ::floor(x))
SIMT_HALF_FUNCTION(trunc, ::trunc(x))
SIMT_HALF_FUNCTION(rint, ::nearbyint(x))
#undef SIMT_HALF_FUNCTION

// One request, each component by itself.
SIMT_INLINE __half atomicAdd(__half* address, __half value) {
  return __half_raw{__simt_atomic16(simt_atomic_add_half, address, value.simt_bits, 0)};
}
SIMT_INLINE __half2 atomicAdd(__half2* address, __half2 value) {
  const unsigned operand = value.x.simt_bits | unsigned{value.y.simt_bits} << 16;
  const unsigned old = __simt_atomic32(simt_atomic_add_half2, address, operand, 0);
  return {__ushort_as_half(static_cast<unsigned short>(old)),
          __ushort_as_half(static_cast<unsigned short>(old >> 16))};
}

// With a mask and without one: a parameter and an argument, or neither.
#define SIMT_MASK_PARAMETER unsigned mask,
#define SIMT_MASK mask,
#define SIMT_HALF_SHUFFLE(name, Operand, mask_parameter, mask_argument)                                      \
  SIMT_INLINE __half name(mask_parameter __half value, Operand operand, int width = 32, SIMT_CALLER) {       \
    return __ushort_as_half(static_cast<unsigned short>(                                                     \
        name(mask_argument unsigned{value.simt_bits}, operand, width, simt_file, simt_line)));               \
  }                                                                                                          \
  SIMT_INLINE __half2 name(mask_parameter __half2 value, Operand operand, int width = 32, SIMT_CALLER) {     \
    const unsigned bits = value.x.simt_bits | unsigned{value.y.simt_bits} << 16;                             \
    const unsigned got = name(mask_argument bits, operand, width, simt_file, simt_line);                     \
    return {__ushort_as_half(static_cast<unsigned short>(got)),                                              \
            __ushort_as_half(static_cast<unsigned short>(got >> 16))};                                       \
  }
SIMT_HALF_SHUFFLE(__shfl_sync, int, SIMT_MASK_PARAMETER, SIMT_MASK)
SIMT_HALF_SHUFFLE(__shfl_up_sync, unsigned, SIMT_MASK_PARAMETER, SIMT_MASK)
SIMT_HALF_SHUFFLE(__shfl_down_sync, unsigned, SIMT_MASK_PARAMETER, SIMT_MASK)
SIMT_HALF_SHUFFLE(__shfl_xor_sync, int, SIMT_MASK_PARAMETER, SIMT_MASK)
#ifdef __SIMT_LEGACY_WARP_FUNCTIONS__
SIMT_HALF_SHUFFLE(__shfl, int, , )
SIMT_HALF_SHUFFLE(__shfl_up, unsigned, , )
SIMT_HALF_SHUFFLE(__shfl_down, unsigned, , )
SIMT_HALF_SHUFFLE(__shfl_xor, int, , )
#endif
#undef SIMT_HALF_SHUFFLE
#undef SIMT_MASK_PARAMETER
#undef SIMT_MASK

#endif
