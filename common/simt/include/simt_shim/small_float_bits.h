// The arithmetic of floats of 16 bits and fewer on their bits, exact in every rounding.
#ifndef SIMT_INCLUDE_SIMT_SHIM_SMALL_FLOAT_BITS_H
#define SIMT_INCLUDE_SIMT_SHIM_SMALL_FLOAT_BITS_H

#include <cmath>
#include <cstring>

namespace simt {

enum class RoundTo { nearest, zero, down, up };

/// An integer as a double that rounds to the same small float: bits that a double has no room for leave a trace in its last one.
[[gnu::always_inline]] inline double rounded_once_later(unsigned long long magnitude) {
  if (magnitude >> 53 != 0) magnitude = magnitude >> 12 << 12 | ((magnitude & 0xfff) != 0) << 12;
  return static_cast<double>(magnitude);
}
[[gnu::always_inline]] inline double rounded_once_later(long long value) {
  const auto bits = static_cast<unsigned long long>(value);
  return value < 0 ? -rounded_once_later(0 - bits) : rounded_once_later(bits);
}

/// product + addend, where `product` is exact: to be rounded to fewer than 51 bits as if the sum had all of its own.
inline double sum_rounded_once_later(double product, double addend) {
  double sum = product + addend;
  // What the sum has lost, exactly; an odd last bit remembers it for the rounding that follows.
  const double part = sum - product;
  const double lost = (product - (sum - part)) + (addend - part);
  if (lost != 0 && std::isfinite(sum)) {
    unsigned long bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    if ((bits & 1) == 0) sum = std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  }
  return sum;
}

/// A binary format of IEEE 754 with a sign, `exponent_bits` and `fraction_bits`, 16 in all.
template <unsigned exponent_bits, unsigned fraction_bits>
struct SmallFloatBits {
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr unsigned short infinity = ((1u << exponent_bits) - 1) << fraction_bits;
  static constexpr unsigned short not_a_number = 0x7fff; ///< the one that devices make
  static constexpr int lowest_unit = 1 - bias - static_cast<int>(fraction_bits);

  static constexpr double power_of_two(int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; ++i) power *= 2;
    for (int i = 0; i > exponent; --i) power /= 2;
    return power;
  }

  /// Exact, subnormal numbers and NaN included.
  [[gnu::always_inline]] static float to_float(unsigned short small) {
    const unsigned sign = (small & 0x8000u) << 16, magnitude = small & 0x7fffu;
    unsigned bits = magnitude << spare_bits;
    if constexpr (exponent_bits != 8) {
      const unsigned exponent = magnitude >> fraction_bits;
      if (exponent == 0) {
        const float value = static_cast<float>(magnitude) * static_cast<float>(power_of_two(lowest_unit));
        return sign ? -value : value;
      }
      bits += rebiased;
      if (exponent == (1u << exponent_bits) - 1) bits |= 0x7f800000u;
    }
    bits |= sign;
    float result;
    __builtin_memcpy(&result, &bits, sizeof result);
    return result;
  }

  /// The nearest one (ties to even), or the next one in the direction; too large becomes infinity or the largest finite
  /// number as IEEE 754 says, NaN the device's NaN.
  static unsigned short from_double(double value, RoundTo rounding = RoundTo::nearest) {
    if (value != value) return not_a_number;
    const float narrow = static_cast<float>(value);
    if (rounding == RoundTo::nearest && static_cast<double>(narrow) == value && is_common(narrow))
      return from_common(narrow);
    constexpr double largest = (2 - power_of_two(-static_cast<int>(fraction_bits))) * power_of_two(bias);
    constexpr double beyond = largest + power_of_two(bias - 1 - static_cast<int>(fraction_bits));
    const bool negative = std::signbit(value);
    const unsigned short sign = negative ? 0x8000 : 0;
    const double magnitude = negative ? -value : value;
    if (magnitude == 0) return sign;
    const bool outwards = rounding == (negative ? RoundTo::down : RoundTo::up);
    if (magnitude > largest) {
      if (std::isinf(magnitude)) return sign | infinity;
      const bool over = rounding == RoundTo::nearest ? magnitude >= beyond : outwards;
      return sign | (over ? infinity : infinity - 1);
    }
    // In units of the last place there, which is never below that of the subnormal numbers.
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int usual_unit = exponent - 1 - static_cast<int>(fraction_bits);
    const int unit = usual_unit < lowest_unit ? lowest_unit : usual_unit;
    const double scaled = std::ldexp(magnitude, -unit);
    double whole = std::floor(scaled);
    const double rest = scaled - whole;
    if (rounding == RoundTo::nearest)
      whole += rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0);
    else if (outwards)
      whole += rest > 0;
    // Adding makes the carry into the exponent by itself.
    const auto bits =
        static_cast<unsigned>(whole) + (static_cast<unsigned>(unit - lowest_unit) << fraction_bits);
    return static_cast<unsigned short>(sign | bits);
  }

  static unsigned short from_float(float value, RoundTo rounding = RoundTo::nearest) {
    if (rounding == RoundTo::nearest && is_common(value)) return from_common(value);
    return from_double(static_cast<double>(value), rounding);
  }

  // Rounding twice gives what rounding once would, if the first has more than twice the bits, and as small numbers.
  static unsigned short add(unsigned short a, unsigned short b) {
    return from_float(to_float(a) + to_float(b));
  }
  static unsigned short sub(unsigned short a, unsigned short b) {
    return from_float(to_float(a) - to_float(b));
  }
  static unsigned short mul(unsigned short a, unsigned short b) {
    return from_double(as_double(a) * as_double(b));
  }
  static unsigned short div(unsigned short a, unsigned short b) {
    return from_double(as_double(a) / as_double(b));
  }

  /// a * b + c, rounded once.
  static unsigned short fma(unsigned short a, unsigned short b, unsigned short c) {
    return from_double(sum_rounded_once_later(as_double(a) * as_double(b), as_double(c)));
  }

private:
  static constexpr unsigned spare_bits = 23 - fraction_bits; ///< of a float's fraction
  static constexpr unsigned rebiased = (127u - bias) << 23;  ///< what a float's exponent has more

  static unsigned magnitude_bits(float value) {
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits & 0x7fffffffu;
  }
  /// A number with an exponent that both formats have.
  static bool is_common(float value) {
    const unsigned magnitude = magnitude_bits(value);
    return magnitude >= rebiased + (1u << 23) && magnitude < rebiased + (((1u << exponent_bits) - 1) << 23);
  }
  /// Rounds such a number to the nearest: half a unit is added, and a carry goes into the exponent.
  static unsigned short from_common(float value) {
    const unsigned magnitude = magnitude_bits(value), odd = magnitude >> spare_bits & 1;
    const unsigned rounded = magnitude - rebiased + (1u << (spare_bits - 1)) - 1 + odd;
    return static_cast<unsigned short>((std::signbit(value) ? 0x8000u : 0) | rounded >> spare_bits);
  }
  static double as_double(unsigned short small) { return static_cast<double>(to_float(small)); }
};

using half_bits = SmallFloatBits<5, 10>;    ///< IEEE binary16
using bfloat16_bits = SmallFloatBits<8, 7>; ///< the upper half of a float

} // namespace simt

#endif
