// Two numbers of 16 bits or four of 8 in a word (__vadd2, __vmaxu4, ...), and sums, minima and maxima in one step (DPX).
#ifndef SIMT_INCLUDE_SIMT_SHIM_SIMD_INTRINSICS_H
#define SIMT_INCLUDE_SIMT_SHIM_SIMD_INTRINSICS_H

#include "simt_shim/entry_points.h"

namespace simt::detail {

/// Part `i` of a word of parts of `bits` bits, as a number with a sign or without.
template <int bits, bool has_sign>
SIMT_INLINE int part_of(unsigned word, int i) {
  const unsigned part = word >> bits * i & ((1u << bits) - 1);
  return has_sign && part >> (bits - 1) ? static_cast<int>(part) - (1 << bits) : static_cast<int>(part);
}

/// Applies `step` to each part of `a` and the same part of `b`. Results keep their lowest bits.
template <int bits, bool has_sign, class Step>
SIMT_INLINE unsigned by_parts(unsigned a, unsigned b, Step step) {
  unsigned result = 0;
  for (int i = 0; i < 32 / bits; ++i)
    result |= (static_cast<unsigned>(step(part_of<bits, has_sign>(a, i), part_of<bits, has_sign>(b, i))) &
               ((1u << bits) - 1))
              << bits * i;
  return result;
}

/// The sum of what `step` makes of each pair of parts.
template <int bits, bool has_sign, class Step>
SIMT_INLINE unsigned sum_of_parts(unsigned a, unsigned b, Step step) {
  unsigned result = 0;
  for (int i = 0; i < 32 / bits; ++i)
    result += static_cast<unsigned>(step(part_of<bits, has_sign>(a, i), part_of<bits, has_sign>(b, i)));
  return result;
}

template <int bits, bool has_sign>
SIMT_INLINE int saturated(int x) {
  constexpr int most = has_sign ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, least = has_sign ? -most - 1 : 0;
  return x > most ? most : x < least ? least : x;
}

SIMT_INLINE int smaller(int a, int b) { return b < a ? b : a; }
SIMT_INLINE int larger(int a, int b) { return a < b ? b : a; }

} // namespace simt::detail

// `name` for halfwords and for bytes.
#define SIMT_PARTS(name, has_sign, result)                                                                   \
  SIMT_INLINE unsigned name##2(unsigned x, unsigned y) {                                                     \
    constexpr int bits [[maybe_unused]] = 16;                                                                \
    return ::simt::detail::by_parts<bits, has_sign>(x, y, [](int a, int b) { return (void)b, result; });     \
  }                                                                                                          \
  SIMT_INLINE unsigned name##4(unsigned x, unsigned y) {                                                     \
    constexpr int bits [[maybe_unused]] = 8;                                                                 \
    return ::simt::detail::by_parts<bits, has_sign>(x, y, [](int a, int b) { return (void)b, result; });     \
  }
#define SIMT_PARTS_OF_ONE(name, result)                                                                      \
  SIMT_INLINE unsigned name##2(unsigned x) {                                                                 \
    constexpr int bits [[maybe_unused]] = 16;                                                                \
    return ::simt::detail::by_parts<bits, true>(x, 0, [](int a, int) { return result; });                    \
  }                                                                                                          \
  SIMT_INLINE unsigned name##4(unsigned x) {                                                                 \
    constexpr int bits [[maybe_unused]] = 8;                                                                 \
    return ::simt::detail::by_parts<bits, true>(x, 0, [](int a, int) { return result; });                    \
  }
#define SIMT_SUMS(name, has_sign)                                                                            \
  SIMT_INLINE unsigned name##2(unsigned x, unsigned y) {                                                     \
    return ::simt::detail::sum_of_parts<16, has_sign>(x, y,                                                  \
                                                      [](int a, int b) { return a < b ? b - a : a - b; });   \
  }                                                                                                          \
  SIMT_INLINE unsigned name##4(unsigned x, unsigned y) {                                                     \
    return ::simt::detail::sum_of_parts<8, has_sign>(x, y,                                                   \
                                                     [](int a, int b) { return a < b ? b - a : a - b; });    \
  }
// Comparisons: all bits of a part (__vcmp), or the lowest one (__vset).
#define SIMT_COMPARISONS(suffix, has_sign, holds)                                                            \
  SIMT_PARTS(__vcmp##suffix, has_sign, (holds) ? -1 : 0)                                                     \
  SIMT_PARTS(__vset##suffix, has_sign, (holds) ? 1 : 0)

SIMT_PARTS(__vadd, false, a + b)
SIMT_PARTS(__vsub, false, a - b)
SIMT_PARTS(__vaddss, true, (::simt::detail::saturated<bits, true>(a + b)))
SIMT_PARTS(__vaddus, false, (::simt::detail::saturated<bits, false>(a + b)))
SIMT_PARTS(__vsubss, true, (::simt::detail::saturated<bits, true>(a - b)))
SIMT_PARTS(__vsubus, false, (::simt::detail::saturated<bits, false>(a - b)))
SIMT_PARTS(__vavgs, true, (a + b + (a + b >= 0 ? 1 : 0)) >> 1) // halves go away from zero
SIMT_PARTS(__vavgu, false, (a + b + 1) >> 1)
SIMT_PARTS(__vhaddu, false, (a + b) >> 1)
SIMT_PARTS(__vmaxs, true, a < b ? b : a)
SIMT_PARTS(__vmaxu, false, a < b ? b : a)
SIMT_PARTS(__vmins, true, b < a ? b : a)
SIMT_PARTS(__vminu, false, b < a ? b : a)
SIMT_PARTS(__vabsdiffs, true, a < b ? b - a : a - b)
SIMT_PARTS(__vabsdiffu, false, a < b ? b - a : a - b)
SIMT_PARTS_OF_ONE(__vabs, a < 0 ? -a : a)
SIMT_PARTS_OF_ONE(__vabsss, (::simt::detail::saturated<bits, true>(a < 0 ? -a : a)))
SIMT_PARTS_OF_ONE(__vneg, -a)
SIMT_PARTS_OF_ONE(__vnegss, (::simt::detail::saturated<bits, true>(-a)))
SIMT_SUMS(__vsads, true)
SIMT_SUMS(__vsadu, false)
SIMT_COMPARISONS(eq, false, a == b)
SIMT_COMPARISONS(ne, false, a != b)
SIMT_COMPARISONS(ges, true, a >= b)
SIMT_COMPARISONS(geu, false, a >= b)
SIMT_COMPARISONS(gts, true, a > b)
SIMT_COMPARISONS(gtu, false, a > b)
SIMT_COMPARISONS(les, true, a <= b)
SIMT_COMPARISONS(leu, false, a <= b)
SIMT_COMPARISONS(lts, true, a < b)
SIMT_COMPARISONS(ltu, false, a < b)
#undef SIMT_COMPARISONS
#undef SIMT_SUMS
#undef SIMT_PARTS_OF_ONE

// DPX: the steps of dynamic programming. Sums keep their lowest bits.
#define SIMT_DPX(name, T)                                                                                    \
  SIMT_INLINE T __vimax3_##name(T a, T b, T c) { return a < b ? (b < c ? c : b) : (a < c ? c : a); }         \
  SIMT_INLINE T __vimin3_##name(T a, T b, T c) { return b < a ? (c < b ? c : b) : (c < a ? c : a); }         \
  SIMT_INLINE T __viaddmax_##name(T a, T b, T c) {                                                           \
    const T sum = static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));                       \
    return sum < c ? c : sum;                                                                                \
  }                                                                                                          \
  SIMT_INLINE T __viaddmin_##name(T a, T b, T c) {                                                           \
    const T sum = static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));                       \
    return c < sum ? c : sum;                                                                                \
  }                                                                                                          \
  SIMT_INLINE T __vibmax_##name(T a, T b, bool* first) { return *first = a >= b, *first ? a : b; }           \
  SIMT_INLINE T __vibmin_##name(T a, T b, bool* first) { return *first = a <= b, *first ? a : b; }
SIMT_DPX(s32, int)
SIMT_DPX(u32, unsigned)
#undef SIMT_DPX
SIMT_INLINE int __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
SIMT_INLINE int __vimin_s32_relu(int a, int b) {
  return ::simt::detail::larger(::simt::detail::smaller(a, b), 0);
}
SIMT_INLINE int __vimax3_s32_relu(int a, int b, int c) {
  return ::simt::detail::larger(__vimax3_s32(a, b, c), 0);
}
SIMT_INLINE int __vimin3_s32_relu(int a, int b, int c) {
  return ::simt::detail::larger(__vimin3_s32(a, b, c), 0);
}
SIMT_INLINE int __viaddmax_s32_relu(int a, int b, int c) {
  return ::simt::detail::larger(__viaddmax_s32(a, b, c), 0);
}
SIMT_INLINE int __viaddmin_s32_relu(int a, int b, int c) {
  return ::simt::detail::larger(__viaddmin_s32(a, b, c), 0);
}

// The same for two halfwords in a word.
#define SIMT_DPX_OF_HALVES(name, s)                                                                          \
  SIMT_INLINE unsigned __vimax3_##name(unsigned a, unsigned b, unsigned c) {                                 \
    return __vmax##s##2(__vmax##s##2(a, b), c);                                                              \
  }                                                                                                          \
  SIMT_INLINE unsigned __vimin3_##name(unsigned a, unsigned b, unsigned c) {                                 \
    return __vmin##s##2(__vmin##s##2(a, b), c);                                                              \
  }                                                                                                          \
  SIMT_INLINE unsigned __viaddmax_##name(unsigned a, unsigned b, unsigned c) {                               \
    return __vmax##s##2(__vadd2(a, b), c);                                                                   \
  }                                                                                                          \
  SIMT_INLINE unsigned __viaddmin_##name(unsigned a, unsigned b, unsigned c) {                               \
    return __vmin##s##2(__vadd2(a, b), c);                                                                   \
  }                                                                                                          \
  SIMT_INLINE unsigned __vibmax_##name(unsigned a, unsigned b, bool* high, bool* low) {                      \
    const unsigned first = __vsetge##s##2(a, b);                                                             \
    *high = first >> 16;                                                                                     \
    *low = first & 1;                                                                                        \
    return __vmax##s##2(a, b);                                                                               \
  }                                                                                                          \
  SIMT_INLINE unsigned __vibmin_##name(unsigned a, unsigned b, bool* high, bool* low) {                      \
    const unsigned first = __vsetle##s##2(a, b);                                                             \
    *high = first >> 16;                                                                                     \
    *low = first & 1;                                                                                        \
    return __vmin##s##2(a, b);                                                                               \
  }
SIMT_DPX_OF_HALVES(s16x2, s)
SIMT_DPX_OF_HALVES(u16x2, u)
#undef SIMT_DPX_OF_HALVES
SIMT_INLINE unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmaxs2(a, b), 0); }
SIMT_INLINE unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
SIMT_INLINE unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return __vmaxs2(__vimax3_s16x2(a, b, c), 0);
}
SIMT_INLINE unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return __vmaxs2(__vimin3_s16x2(a, b, c), 0);
}
SIMT_INLINE unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return __vmaxs2(__viaddmax_s16x2(a, b, c), 0);
}
SIMT_INLINE unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return __vmaxs2(__viaddmin_s16x2(a, b, c), 0);
}
#undef SIMT_PARTS

// Products of two halfwords with two of four bytes, and their sum.
SIMT_INLINE int __dp2a_lo(int a, int b, int sum) {
  return static_cast<int>(
      static_cast<unsigned>(sum) +
      static_cast<unsigned>(::simt::detail::part_of<16, true>(static_cast<unsigned>(a), 0) *
                                ::simt::detail::part_of<8, true>(static_cast<unsigned>(b), 0) +
                            ::simt::detail::part_of<16, true>(static_cast<unsigned>(a), 1) *
                                ::simt::detail::part_of<8, true>(static_cast<unsigned>(b), 1)));
}
SIMT_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum) {
  return sum + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
SIMT_INLINE int __dp2a_hi(int a, int b, int sum) {
  return __dp2a_lo(a, static_cast<int>(static_cast<unsigned>(b) >> 16), sum);
}
SIMT_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum) { return __dp2a_lo(a, b >> 16, sum); }

/// The place of the `offset`-th set bit of `mask`, counted upwards from bit `base` (downwards where negative; at `base`
/// itself where 0); 0xffffffff if there is none.
SIMT_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> (base & 31) & 1 ? base : 0xffffffffu;
  const int step = offset < 0 ? -1 : 1;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && (offset -= step) == 0) return static_cast<unsigned>(bit);
  return 0xffffffffu;
}

#endif
