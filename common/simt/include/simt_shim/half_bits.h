// The arithmetic of 16-bit floats (IEEE binary16) on their bits, exact in every rounding.
#ifndef SIMT_INCLUDE_SIMT_SHIM_HALF_BITS_H
#define SIMT_INCLUDE_SIMT_SHIM_HALF_BITS_H

#include <cmath>
#include <cstring>

namespace simt::half_bits {

enum class Rounding { nearest, zero, down, up };

/// Exact, subnormal numbers and NaN included.
[[gnu::always_inline]] inline float to_float(unsigned short half) {
  const unsigned sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ffu;
  unsigned bits = sign | (exponent + 112) << 23 | fraction << 13;
  if (exponent == 31) bits = sign | 0x7f800000u | fraction << 13;
  if (exponent == 0) {
    // A multiple of 2^-24, which float holds exactly.
    const float value = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -value : value;
  }
  float result;
  __builtin_memcpy(&result, &bits, sizeof result);
  return result;
}

/// The half nearest to `value` (ties to even), or the next one in the direction; too large becomes infinity or
/// the largest finite number as IEEE 754 says, NaN the device's NaN 0x7fff.
inline unsigned short from_double(double value, Rounding rounding = Rounding::nearest) {
  if (value != value) return 0x7fff;
  const bool negative = std::signbit(value);
  const unsigned short sign = negative ? 0x8000 : 0;
  const double magnitude = negative ? -value : value;
  if (magnitude == 0) return sign;
  const bool outwards = rounding == (negative ? Rounding::down : Rounding::up);
  if (magnitude > 65504.0) {
    if (std::isinf(magnitude)) return sign | 0x7c00;
    const bool over = rounding == Rounding::nearest ? magnitude >= 65520.0 : outwards;
    return sign | (over ? 0x7c00 : 0x7bff);
  }
  // In units of the last place there, which is never below 2^-24.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int unit = exponent - 11 < -24 ? -24 : exponent - 11;
  const double scaled = std::ldexp(magnitude, -unit);
  double whole = std::floor(scaled);
  const double rest = scaled - whole;
  if (rounding == Rounding::nearest)
    whole += rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0);
  else if (outwards)
    whole += rest > 0;
  // Adding makes the carry into the exponent by itself.
  const int biased = unit + 24;
  const auto bits = static_cast<unsigned>(whole) + static_cast<unsigned>(biased << 10);
  return static_cast<unsigned short>(sign | bits);
}

inline unsigned short from_float(float value, Rounding rounding = Rounding::nearest) {
  return from_double(static_cast<double>(value), rounding);
}

// Floats have more than twice the bits of halves, so rounding twice gives what rounding once would.
inline unsigned short add(unsigned short a, unsigned short b) {
  return from_float(to_float(a) + to_float(b));
}
inline unsigned short sub(unsigned short a, unsigned short b) {
  return from_float(to_float(a) - to_float(b));
}
inline unsigned short mul(unsigned short a, unsigned short b) {
  return from_float(to_float(a) * to_float(b));
}
inline unsigned short div(unsigned short a, unsigned short b) {
  return from_float(to_float(a) / to_float(b));
}

/// a * b + c, rounded once.
inline unsigned short fma(unsigned short a, unsigned short b, unsigned short c) {
  const double product = static_cast<double>(to_float(a)) * static_cast<double>(to_float(b)); // exact
  const double addend = static_cast<double>(to_float(c));
  double sum = product + addend;
  // What the sum has lost, exactly; an odd last bit remembers it for the rounding that follows.
  const double part = sum - product;
  const double lost = (product - (sum - part)) + (addend - part);
  if (lost != 0 && std::isfinite(sum)) {
    unsigned long bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    if ((bits & 1) == 0) sum = std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  }
  return from_double(sum);
}

} // namespace simt::half_bits

#endif
