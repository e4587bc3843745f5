// The types that texels are read and written as: numbers, and vectors of one, two or four of them.
#ifndef SIMT_INCLUDE_SIMT_SHIM_TEXEL_TYPES_H
#define SIMT_INCLUDE_SIMT_SHIM_TEXEL_TYPES_H

#include "texture_types.h"
#include "vector_types.h"

#include <type_traits>

namespace simt::detail {

/// What a texel of type T is made of; no texel is of another type.
template <class T>
struct Texel {
  static_assert(!sizeof(T), "texels are numbers of 8, 16 or 32 bits, or vectors of one, two or four of them");
};

template <class Number>
constexpr cudaChannelFormatKind kind_of() {
  return std::is_floating_point_v<Number> ? cudaChannelFormatKindFloat
         : std::is_signed_v<Number>       ? cudaChannelFormatKindSigned
                                          : cudaChannelFormatKindUnsigned;
}

#define SIMT_TEXEL(T, Number, count, ...)                                                                    \
  template <>                                                                                                \
  struct Texel<T> {                                                                                          \
    using Channel = Number;                                                                                  \
    static constexpr int channels = count;                                                                   \
    static constexpr cudaChannelFormatKind kind = kind_of<Number>();                                         \
    static constexpr const char* name = #T;                                                                  \
    /** From a function of a channel's number. */                                                            \
    template <class Get>                                                                                     \
    [[gnu::always_inline]] static inline T make(const Get& get) {                                            \
      return __VA_ARGS__;                                                                                    \
    }                                                                                                        \
  };
#define SIMT_TEXELS(name, Number)                                                                            \
  SIMT_TEXEL(name##1, Number, 1, {static_cast<Number>(get(0))})                                              \
  SIMT_TEXEL(name##2, Number, 2, name##2(get(0), get(1)))                                                    \
  SIMT_TEXEL(name##4, Number, 4, name##4(get(0), get(1), get(2), get(3)))
SIMT_TEXEL(char, char, 1, get(0))
SIMT_TEXEL(signed char, signed char, 1, get(0))
SIMT_TEXEL(unsigned char, unsigned char, 1, get(0))
SIMT_TEXEL(short, short, 1, get(0))
SIMT_TEXEL(unsigned short, unsigned short, 1, get(0))
SIMT_TEXEL(int, int, 1, get(0))
SIMT_TEXEL(unsigned int, unsigned int, 1, get(0))
SIMT_TEXEL(float, float, 1, get(0))
SIMT_TEXELS(char, signed char)
SIMT_TEXELS(uchar, unsigned char)
SIMT_TEXELS(short, short)
SIMT_TEXELS(ushort, unsigned short)
SIMT_TEXELS(int, int)
SIMT_TEXELS(uint, unsigned int)
SIMT_TEXELS(float, float)
#undef SIMT_TEXELS
#undef SIMT_TEXEL

} // namespace simt::detail

#endif
