// What the translator makes of inline PTX: each instruction is a call of one of these functions (translate/inline_ptx.cpp).
#ifndef SIMT_INCLUDE_SIMT_SHIM_PTX_H
#define SIMT_INCLUDE_SIMT_SHIM_PTX_H

#include "cuda_runtime.h"
#include "simt_shim/small_float_bits.h"

#include <type_traits>

namespace simt::ptx {

/// 16-bit floats, and pairs of them, as their bits.
template <class Format>
struct Small {
  unsigned short bits;
};
template <class Format>
struct SmallPair {
  unsigned short low, high;
};
using f16 = Small<half_bits>;
using bf16 = Small<bfloat16_bits>;
using f16x2 = SmallPair<half_bits>;
using bf16x2 = SmallPair<bfloat16_bits>;

/// Whether an operand of C++ fits a constraint: h, r and l for integers and pointers, f and d for float and double.
template <char constraint, class T>
constexpr bool fits() {
  using Bare = std::remove_cv_t<std::remove_reference_t<T>>;
  constexpr bool is_integer = std::is_integral_v<Bare> || std::is_enum_v<Bare> || std::is_pointer_v<Bare>;
  switch (constraint) {
  case 'h':
    return is_integer && sizeof(Bare) == 2;
  case 'r':
    return is_integer && sizeof(Bare) == 4;
  case 'l':
    return is_integer && sizeof(Bare) == 8;
  case 'f':
    return std::is_same_v<Bare, float>;
  case 'd':
    return std::is_same_v<Bare, double>;
  default:
    return is_integer;
  }
}

/// The bits of an operand, and the other way; what does not fit has been refused.
template <class To, class From>
SIMT_INLINE To input(From value) {
  if constexpr (sizeof(To) == sizeof(From))
    return __builtin_bit_cast(To, value);
  else
    return To();
}
template <class To, class From>
SIMT_INLINE void output(To& to, From bits) {
  if constexpr (sizeof(To) == sizeof(From)) to = __builtin_bit_cast(std::remove_cv_t<To>, bits);
}

/// The same bits as another type.
template <class To, class From>
SIMT_INLINE To as(From value) {
  if constexpr (sizeof(To) == sizeof(From)) {
    return __builtin_bit_cast(To, value);
  } else {
    return To(); // what does not fit has been refused
  }
}
/// The same from a register that may be wider, as loads, stores and conversions have them.
template <class To, class From>
SIMT_INLINE To lowest(From value) {
  if constexpr (sizeof(To) == sizeof(From) || !std::is_integral_v<From>)
    return as<To>(value);
  else if constexpr (sizeof(To) == 1)
    return as<To>(static_cast<unsigned char>(value));
  else if constexpr (sizeof(To) == 2)
    return as<To>(static_cast<unsigned short>(value));
  else
    return as<To>(static_cast<unsigned>(value));
}
/// And into one: integers of the type are extended with their sign or with zeros.
template <class To, class From>
SIMT_INLINE To extended(From value) {
  if constexpr (sizeof(To) == sizeof(From))
    return as<To>(value);
  else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>)
    return static_cast<To>(value);
  else if constexpr (std::is_integral_v<To>)
    return static_cast<To>(as<unsigned short>(value));
  else
    return To();
}

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long,
                                std::conditional_t<sizeof(T) == 4, unsigned, unsigned short>>;
/// An integer of twice the width.
template <class T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int, unsigned>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;
template <class T>
using Plain = std::make_unsigned_t<T>;

template <class T>
SIMT_INLINE T same(T a) {
  return a;
}

// Integers wrap around.
template <class T>
SIMT_INLINE T add(T a, T b) {
  return static_cast<T>(static_cast<Plain<T>>(a) + static_cast<Plain<T>>(b));
}
template <class T>
SIMT_INLINE T sub(T a, T b) {
  return static_cast<T>(static_cast<Plain<T>>(a) - static_cast<Plain<T>>(b));
}
SIMT_INLINE int add_sat(int a, int b) {
  const long long sum = static_cast<long long>(a) + b;
  return sum > 0x7fffffffll    ? 0x7fffffff
         : sum < -0x80000000ll ? static_cast<int>(0x80000000u)
                               : static_cast<int>(sum);
}
SIMT_INLINE int sub_sat(int a, int b) {
  const long long difference = static_cast<long long>(a) - b;
  return difference > 0x7fffffffll    ? 0x7fffffff
         : difference < -0x80000000ll ? static_cast<int>(0x80000000u)
                                      : static_cast<int>(difference);
}
/// a + b and the carry that came in; `carry` is the one that goes out.
template <class T>
SIMT_INLINE T add_carry(T a, T b, bool in, bool& carry) {
  const unsigned __int128 sum =
      static_cast<unsigned __int128>(static_cast<Plain<T>>(a)) + static_cast<Plain<T>>(b) + in;
  carry = sum >> (8 * sizeof(T)) != 0;
  return static_cast<T>(sum);
}
/// a - b - borrow.
template <class T>
SIMT_INLINE T sub_carry(T a, T b, bool in, bool& borrow) {
  const unsigned __int128 taken = static_cast<unsigned __int128>(static_cast<Plain<T>>(b)) + in;
  borrow = static_cast<Plain<T>>(a) < taken;
  return static_cast<T>(static_cast<unsigned __int128>(static_cast<Plain<T>>(a)) - taken);
}
template <class T>
SIMT_INLINE Wide<T> mul_wide(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}
template <class T>
SIMT_INLINE T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
}
template <class T>
SIMT_INLINE T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> (8 * sizeof(T)));
}
template <class T>
SIMT_INLINE T mul24_lo(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    return __mul24(a, b);
  else
    return __umul24(a, b);
}
template <class T>
SIMT_INLINE T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}
template <class T>
SIMT_INLINE T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}
template <class T>
SIMT_INLINE T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <class T>
SIMT_INLINE Wide<T> mad_wide(T a, T b, Wide<T> c) {
  return add(mul_wide(a, b), c);
}
template <class T>
SIMT_INLINE T div(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return static_cast<T>(~Plain<T>()); // unspecified, and no trap
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return sub<T>(0, a);
  }
  return static_cast<T>(a / b);
}
template <class T>
SIMT_INLINE T rem(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}
template <class T>
SIMT_INLINE T neg(T a) {
  if constexpr (std::is_integral_v<T>)
    return sub<T>(0, a);
  else
    return -a;
}
template <class T>
SIMT_INLINE T abs(T a) {
  if constexpr (std::is_integral_v<T>)
    return a < 0 ? neg(a) : a;
  else
    return std::fabs(a);
}
/// Of a number and NaN the number.
template <class T>
SIMT_INLINE T min(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return b < a ? b : a;
  else
    return std::fmin(a, b);
}
template <class T>
SIMT_INLINE T max(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return a < b ? b : a;
  else
    return std::fmax(a, b);
}
template <class T>
SIMT_INLINE T min_nan(T a, T b) {
  return a != a || b != b ? as<T>(0x7fffffffu) : std::fmin(a, b);
}
template <class T>
SIMT_INLINE T max_nan(T a, T b) {
  return a != a || b != b ? as<T>(0x7fffffffu) : std::fmax(a, b);
}
template <class T>
SIMT_INLINE T sad(T a, T b, T c) {
  return add(c, static_cast<T>(a < b ? sub(b, a) : sub(a, b)));
}

// Bits.
template <class T>
SIMT_INLINE T bits_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
SIMT_INLINE T bits_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
SIMT_INLINE T bits_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
SIMT_INLINE T bits_not(T a) {
  if constexpr (std::is_same_v<T, bool>)
    return !a;
  else
    return static_cast<T>(~a);
}
/// Shifts by the width and more leave nothing, or the sign.
template <class T>
SIMT_INLINE T shl(T a, unsigned by) {
  return by >= 8 * sizeof(T) ? T() : static_cast<T>(a << by);
}
template <class T>
SIMT_INLINE T shr(T a, unsigned by) {
  constexpr unsigned width = 8 * sizeof(T);
  if (by >= width) return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T();
  return static_cast<T>(a >> by);
}
SIMT_INLINE unsigned lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}
template <class T>
SIMT_INLINE T bfe(T a, unsigned position, unsigned length) {
  constexpr unsigned width = 8 * sizeof(T);
  position &= 0xff;
  length &= 0xff;
  if (length == 0) return 0;
  const unsigned last = position + length - 1 < width ? position + length - 1 : width - 1;
  const bool sign = std::is_signed_v<T> && (static_cast<Plain<T>>(a) >> last & 1);
  Plain<T> result = 0;
  for (unsigned i = 0; i < width; ++i) {
    const bool is_inside = i < length && position + i < width;
    result |= static_cast<Plain<T>>(is_inside ? static_cast<Plain<T>>(a) >> (position + i) & 1 : sign) << i;
  }
  return static_cast<T>(result);
}
template <class T>
SIMT_INLINE T bfi(T from, T into, unsigned position, unsigned length) {
  constexpr unsigned width = 8 * sizeof(T);
  position &= 0xff;
  length &= 0xff;
  for (unsigned i = 0; i < length && position + i < width; ++i) {
    const T bit = static_cast<T>(T(1) << (position + i));
    into = from >> i & 1 ? into | bit : into & ~bit;
  }
  return into;
}
/// The position of the highest bit that is set, or of negative numbers that is not set; or how far it is from the top.
template <class T>
SIMT_INLINE unsigned bfind(T value, bool shift_amount) {
  Plain<T> a = static_cast<Plain<T>>(value);
  if (std::is_signed_v<T> && value < 0) a = ~a;
  constexpr unsigned width = 8 * sizeof(T);
  for (unsigned i = width; i-- > 0;)
    if (a >> i & 1) return shift_amount ? width - 1 - i : i;
  return ~0u;
}
template <class T>
SIMT_INLINE unsigned clz(T a) {
  return static_cast<unsigned>(sizeof(T) == 8 ? __clzll(static_cast<long long>(a))
                                              : __clz(static_cast<int>(a)));
}
template <class T>
SIMT_INLINE unsigned popc(T a) {
  return static_cast<unsigned>(__builtin_popcountll(a));
}
template <class T>
SIMT_INLINE T brev(T a) {
  if constexpr (sizeof(T) == 8)
    return __brevll(a);
  else
    return __brev(a);
}
SIMT_INLINE unsigned prmt(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = a | static_cast<unsigned long long>(b) << 32;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned select = selector >> (4 * i) & 15;
    unsigned byte = static_cast<unsigned>(both >> (8 * (select & 7)) & 0xff);
    if (select & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
SIMT_INLINE unsigned shf_l_wrap(unsigned a, unsigned b, unsigned by) { return __funnelshift_l(a, b, by); }
SIMT_INLINE unsigned shf_l_clamp(unsigned a, unsigned b, unsigned by) { return __funnelshift_lc(a, b, by); }
SIMT_INLINE unsigned shf_r_wrap(unsigned a, unsigned b, unsigned by) { return __funnelshift_r(a, b, by); }
SIMT_INLINE unsigned shf_r_clamp(unsigned a, unsigned b, unsigned by) { return __funnelshift_rc(a, b, by); }
/// The sum of the differences of the four bytes, and c.
SIMT_INLINE unsigned vabsdiff4_add(unsigned a, unsigned b, unsigned c) { return __vsadu4(a, b) + c; }
template <class A, class B>
SIMT_INLINE int dp4a(unsigned a, unsigned b, int c) {
  for (unsigned i = 0; i < 4; ++i)
    c = add(c,
            static_cast<int>(static_cast<A>(a >> (8 * i))) * static_cast<int>(static_cast<B>(b >> (8 * i))));
  return c;
}

// Floating point: rounded to the nearest, toward zero (rz), down (rm) or up (rp).
#define SIMT_PTX_ROUNDED(name, count, ...)                                                                   \
  SIMT_INLINE float name(SIMT_PTX_##count(float)) { return __f##__VA_ARGS__; }                               \
  SIMT_INLINE double name(SIMT_PTX_##count(double)) { return __d##__VA_ARGS__; }
#define SIMT_PTX_1(T) T a
#define SIMT_PTX_2(T) T a, T b
SIMT_PTX_ROUNDED(add_rn, 2, add_rn(a, b))
SIMT_PTX_ROUNDED(add_rz, 2, add_rz(a, b))
SIMT_PTX_ROUNDED(add_rm, 2, add_rd(a, b))
SIMT_PTX_ROUNDED(add_rp, 2, add_ru(a, b))
SIMT_PTX_ROUNDED(sub_rn, 2, sub_rn(a, b))
SIMT_PTX_ROUNDED(sub_rz, 2, sub_rz(a, b))
SIMT_PTX_ROUNDED(sub_rm, 2, sub_rd(a, b))
SIMT_PTX_ROUNDED(sub_rp, 2, sub_ru(a, b))
SIMT_PTX_ROUNDED(mul_rn, 2, mul_rn(a, b))
SIMT_PTX_ROUNDED(mul_rz, 2, mul_rz(a, b))
SIMT_PTX_ROUNDED(mul_rm, 2, mul_rd(a, b))
SIMT_PTX_ROUNDED(mul_rp, 2, mul_ru(a, b))
SIMT_PTX_ROUNDED(div_rn, 2, div_rn(a, b))
SIMT_PTX_ROUNDED(div_rz, 2, div_rz(a, b))
SIMT_PTX_ROUNDED(div_rm, 2, div_rd(a, b))
SIMT_PTX_ROUNDED(div_rp, 2, div_ru(a, b))
SIMT_PTX_ROUNDED(rcp_rn, 1, rcp_rn(a))
SIMT_PTX_ROUNDED(rcp_rz, 1, rcp_rz(a))
SIMT_PTX_ROUNDED(rcp_rm, 1, rcp_rd(a))
SIMT_PTX_ROUNDED(rcp_rp, 1, rcp_ru(a))
SIMT_PTX_ROUNDED(sqrt_rn, 1, sqrt_rn(a))
SIMT_PTX_ROUNDED(sqrt_rz, 1, sqrt_rz(a))
SIMT_PTX_ROUNDED(sqrt_rm, 1, sqrt_rd(a))
SIMT_PTX_ROUNDED(sqrt_rp, 1, sqrt_ru(a))
#undef SIMT_PTX_ROUNDED
#undef SIMT_PTX_1
#undef SIMT_PTX_2
SIMT_INLINE float fma_rn(float a, float b, float c) { return __fmaf_rn(a, b, c); }
SIMT_INLINE float fma_rz(float a, float b, float c) { return __fmaf_rz(a, b, c); }
SIMT_INLINE float fma_rm(float a, float b, float c) { return __fmaf_rd(a, b, c); }
SIMT_INLINE float fma_rp(float a, float b, float c) { return __fmaf_ru(a, b, c); }
SIMT_INLINE double fma_rn(double a, double b, double c) { return __fma_rn(a, b, c); }
SIMT_INLINE double fma_rz(double a, double b, double c) { return __fma_rz(a, b, c); }
SIMT_INLINE double fma_rm(double a, double b, double c) { return __fma_rd(a, b, c); }
SIMT_INLINE double fma_rp(double a, double b, double c) { return __fma_ru(a, b, c); }
#define SIMT_PTX_SMALL(name, operation)                                                                      \
  template <class F>                                                                                         \
  SIMT_INLINE Small<F> name(Small<F> a, Small<F> b) {                                                        \
    return {F::operation(a.bits, b.bits)};                                                                   \
  }                                                                                                          \
  template <class F>                                                                                         \
  SIMT_INLINE SmallPair<F> name(SmallPair<F> a, SmallPair<F> b) {                                            \
    return {F::operation(a.low, b.low), F::operation(a.high, b.high)};                                       \
  }
SIMT_PTX_SMALL(add_rn, add)
SIMT_PTX_SMALL(sub_rn, sub)
SIMT_PTX_SMALL(mul_rn, mul)
#undef SIMT_PTX_SMALL
template <class F>
SIMT_INLINE Small<F> fma_rn(Small<F> a, Small<F> b, Small<F> c) {
  return {F::fma(a.bits, b.bits, c.bits)};
}
template <class F>
SIMT_INLINE SmallPair<F> fma_rn(SmallPair<F> a, SmallPair<F> b, SmallPair<F> c) {
  return {F::fma(a.low, b.low, c.low), F::fma(a.high, b.high, c.high)};
}
/// What .ftz makes of subnormal numbers, of operands and results.
SIMT_INLINE float flushed(float a) { return std::fabs(a) < 0x1p-126f ? std::copysign(0.0f, a) : a; }
SIMT_INLINE float saturated(float a) { return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f; }
SIMT_INLINE float ex2(float a) { return std::exp2(a); }
SIMT_INLINE float lg2(float a) { return std::log2(a); }
SIMT_INLINE float sin(float a) { return std::sin(a); }
SIMT_INLINE float cos(float a) { return std::cos(a); }
SIMT_INLINE float tanh(float a) { return std::tanh(a); }
SIMT_INLINE float rsqrt(float a) { return 1 / std::sqrt(a); }
SIMT_INLINE double rsqrt(double a) { return 1 / std::sqrt(a); }
SIMT_INLINE float copysign(float sign, float a) { return std::copysign(a, sign); }
SIMT_INLINE double copysign(double sign, double a) { return std::copysign(a, sign); }

// Comparisons; those that end in u are true of NaN.
#define SIMT_PTX_COMPARE(name, sign)                                                                         \
  template <class T>                                                                                         \
  SIMT_INLINE bool name(T a, T b) {                                                                          \
    return a sign b;                                                                                         \
  }                                                                                                          \
  template <class T>                                                                                         \
  SIMT_INLINE bool name##u(T a, T b) {                                                                       \
    return a != a || b != b || a sign b;                                                                     \
  }
SIMT_PTX_COMPARE(eq, ==)
SIMT_PTX_COMPARE(lt, <)
SIMT_PTX_COMPARE(le, <=)
SIMT_PTX_COMPARE(gt, >)
SIMT_PTX_COMPARE(ge, >=)
#undef SIMT_PTX_COMPARE
template <class T>
SIMT_INLINE bool ne(T a, T b) {
  return a == a && b == b && a != b;
}
template <class T>
SIMT_INLINE bool neu(T a, T b) {
  return a != b;
}
template <class T>
SIMT_INLINE bool num(T a, T b) {
  return a == a && b == b;
}
template <class T>
SIMT_INLINE bool nan(T a, T b) {
  return a != a || b != b;
}

// Conversions. `Round` is a rounding of cvt, or none.
enum class Round { none, nearest, zero, down, up, away };
constexpr RoundTo small_rounding(Round round) {
  return round == Round::zero   ? RoundTo::zero
         : round == Round::down ? RoundTo::down
         : round == Round::up   ? RoundTo::up
                                : RoundTo::nearest;
}
template <class T>
struct NumberOf {
  SIMT_INLINE static T of(T value) { return value; }
};
template <class F>
struct NumberOf<Small<F>> {
  SIMT_INLINE static float of(Small<F> value) { return F::to_float(value.bits); }
};
template <class T>
SIMT_INLINE T whole(T a, Round round) {
  switch (round) {
  case Round::zero:
    return std::trunc(a);
  case Round::down:
    return std::floor(a);
  case Round::up:
    return std::ceil(a);
  default:
    return std::nearbyint(a);
  }
}
template <class To, Round round, bool to_whole, bool saturate, class From>
SIMT_INLINE To converted(From from) {
  const auto number = NumberOf<From>::of(from);
  using Number = std::remove_const_t<decltype(number)>;
  if constexpr (std::is_integral_v<To>) {
    if constexpr (!std::is_integral_v<Number>) {
      return ::simt::detail::to_integer<To>(whole(number, round));
    } else if constexpr (saturate) {
      // The limits of To, in a type that has both.
      constexpr bool is_signed = std::is_signed_v<To>;
      constexpr __int128 one = 1, bits = 8 * sizeof(To);
      constexpr __int128 most = (one << (bits - is_signed)) - 1, least = is_signed ? -(one << (bits - 1)) : 0;
      const __int128 value = number;
      return static_cast<To>(value > most ? most : value < least ? least : value);
    } else {
      return static_cast<To>(number);
    }
  } else if constexpr (std::is_floating_point_v<To>) {
    To result;
    if constexpr (std::is_integral_v<Number>) {
      if constexpr (sizeof(Number) <= 4 && sizeof(To) == 8)
        result = static_cast<To>(number);
      else if constexpr (round == Round::nearest || round == Round::none)
        result = static_cast<To>(number);
      else { // the nearest, and a step in the direction if that is beyond
        result = static_cast<To>(number);
        const __int128 exact = number, got = static_cast<__int128>(result);
        const bool goes_down = round == Round::down || (round == Round::zero && exact > 0);
        if (goes_down && got > exact) result = std::nextafter(result, static_cast<To>(-INFINITY));
        if (!goes_down && got < exact) result = std::nextafter(result, static_cast<To>(INFINITY));
      }
    } else if constexpr (to_whole) {
      result = static_cast<To>(whole(number, round));
    } else if constexpr (sizeof(To) < sizeof(Number)) {
      result = round == Round::zero   ? __double2float_rz(number)
               : round == Round::down ? __double2float_rd(number)
               : round == Round::up   ? __double2float_ru(number)
                                      : __double2float_rn(number);
    } else {
      result = static_cast<To>(number);
    }
    if constexpr (saturate) result = result > 0 ? (result < 1 ? result : To(1)) : To(0);
    return result;
  } else { // a small float
    using Format = std::conditional_t<std::is_same_v<To, f16>, half_bits, bfloat16_bits>;
    double value;
    if constexpr (std::is_integral_v<Number>)
      value = rounded_once_later(
          static_cast<std::conditional_t<std::is_signed_v<Number>, long long, unsigned long long>>(number));
    else
      value = static_cast<double>(to_whole ? whole(number, round) : number);
    if constexpr (saturate) value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;
    return {Format::from_double(value, small_rounding(round))};
  }
}
template <class Pair, Round round>
SIMT_INLINE Pair converted_pair(float high, float low) {
  using Format = std::conditional_t<std::is_same_v<Pair, f16x2>, half_bits, bfloat16_bits>;
  return {Format::from_float(low, small_rounding(round)), Format::from_float(high, small_rounding(round))};
}
SIMT_INLINE unsigned to_tf32(float value) {
  const unsigned bits = as<unsigned>(value);
  return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & ~0x1fffu;
}

// Memory. A generic address, or one in the window of the block's shared memory, which begins at 0.
SIMT_INLINE unsigned long long generic(unsigned long long address) { return address; }
SIMT_INLINE unsigned long long from_shared(unsigned long long address) {
  return address < 1ull << 32 ? __simt_shared_base() + address : address;
}
SIMT_INLINE unsigned long long to_shared(unsigned long long address) {
  return address - __simt_shared_base();
}
template <class T>
SIMT_INLINE T load(unsigned long long address) {
  return *reinterpret_cast<const T*>(address);
}
template <class T>
SIMT_INLINE T load_volatile(unsigned long long address) {
  return *reinterpret_cast<const volatile T*>(address);
}
template <class T>
SIMT_INLINE void store(unsigned long long address, T value) {
  *reinterpret_cast<T*>(address) = value;
}
template <class T>
SIMT_INLINE void store_volatile(unsigned long long address, T value) {
  *reinterpret_cast<volatile T*>(address) = value;
}
/// As ordered atomics have it: the order, that of a failure, and the scope.
enum Order {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL
};
constexpr int ordering(int order, int scope) { return order | order << 4 | scope << 8; }
template <class T, int order>
SIMT_INLINE T load_ordered(unsigned long long address) {
  return ::simt::detail::ordered_atomic<T>(simt_atomic_load, reinterpret_cast<T*>(address), T(), T(), order);
}
template <class T, int order>
SIMT_INLINE void store_ordered(unsigned long long address, T value) {
  ::simt::detail::ordered_atomic<T>(simt_atomic_store, reinterpret_cast<T*>(address), value, T(), order);
}
template <class T, int operation, int order>
SIMT_INLINE T atomic(unsigned long long address, T value, T compare = T()) {
  return ::simt::detail::ordered_atomic<T>(operation, reinterpret_cast<T*>(address), value, compare, order);
}
/// Several registers that move as one access.
template <class T, unsigned count>
struct alignas(sizeof(T) * count) Vector {
  T part[count];
  Vector() = default;
  [[gnu::always_inline]] Vector(const Vector& other) { ::simt::begin_vector<sizeof(Vector)>(this, &other); }
  [[gnu::always_inline]] Vector& operator=(const Vector& other) {
    ::simt::copy_vector<sizeof(Vector)>(this, &other);
    return *this;
  }
};

/// cp.async: what of the `bytes` is not `used` becomes 0.
SIMT_INLINE void copy_async(unsigned long long to, unsigned long long from, unsigned bytes, unsigned used) {
  if (used >= bytes)
    return __simt_copy_async(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  for (unsigned i = 0; i < used; ++i)
    __simt_copy_async(reinterpret_cast<void*>(to + i), reinterpret_cast<const void*>(from + i), 1);
  for (unsigned i = used; i < bytes; ++i) store<unsigned char>(to + i, 0);
}

// Warps.
/// The `segment` operand of shfl: the clamp in its lowest five bits, the segment's mask from bit 8 on.
SIMT_INLINE int width_of(unsigned segment) { return static_cast<int>(32 - (segment >> 8 & 31)); }
SIMT_INLINE bool shuffle_is_inside(int kind, unsigned by, unsigned segment) {
  const unsigned lane = ::simt::lane_id(), mask = segment >> 8 & 31, clamp = segment & 31;
  const unsigned last = (lane & mask) | (clamp & ~mask);
  switch (kind) {
  case simt_warp_shuffle_up:
    return static_cast<int>(lane - (by & 31)) >= static_cast<int>(last);
  case simt_warp_shuffle_down:
    return lane + (by & 31) <= last;
  case simt_warp_shuffle_xor:
    return (lane ^ (by & 31)) <= last;
  default:
    return ((lane & mask) | (by & 31 & ~mask)) <= last;
  }
}

} // namespace simt::ptx

#endif
