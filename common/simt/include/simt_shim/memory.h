// Loads and stores with cache hints: the hint changes no count that the simulator keeps.
#ifndef SIMT_INCLUDE_SIMT_SHIM_MEMORY_H
#define SIMT_INCLUDE_SIMT_SHIM_MEMORY_H

#include "simt_shim/entry_points.h"

#include "vector_types.h"

#include <type_traits>

namespace simt {

/// What loads and stores with hints are for: numbers, and CUDA's vectors of two and four of them. Others with a header of
/// their own join there.
template <class T>
inline constexpr bool has_hints =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, long double>;

#define SIMT_HAS_HINTS(T)                                                                                    \
  template <>                                                                                                \
  inline constexpr bool has_hints<T> = true;
SIMT_HAS_HINTS(char2)
SIMT_HAS_HINTS(char4)
SIMT_HAS_HINTS(uchar2)
SIMT_HAS_HINTS(uchar4)
SIMT_HAS_HINTS(short2)
SIMT_HAS_HINTS(short4)
SIMT_HAS_HINTS(ushort2)
SIMT_HAS_HINTS(ushort4)
SIMT_HAS_HINTS(int2)
SIMT_HAS_HINTS(int4)
SIMT_HAS_HINTS(uint2)
SIMT_HAS_HINTS(uint4)
SIMT_HAS_HINTS(longlong2)
SIMT_HAS_HINTS(ulonglong2)
SIMT_HAS_HINTS(float2)
SIMT_HAS_HINTS(float4)
SIMT_HAS_HINTS(double2)
#undef SIMT_HAS_HINTS

} // namespace simt

#define SIMT_HINTED_LOAD(name)                                                                               \
  template <class T>                                                                                         \
  SIMT_INLINE T name(const T* address) {                                                                     \
    static_assert(simt::has_hints<T>,                                                                        \
                  #name " reads numbers, and vectors of 2 or 4 of them such as float4; of "                  \
                        "another type write *address, or read its members");                                 \
    return *address;                                                                                         \
  }
SIMT_HINTED_LOAD(__ldg)
SIMT_HINTED_LOAD(__ldca)
SIMT_HINTED_LOAD(__ldcg)
SIMT_HINTED_LOAD(__ldcs)
SIMT_HINTED_LOAD(__ldcv)
SIMT_HINTED_LOAD(__ldlu)
#undef SIMT_HINTED_LOAD

namespace simt::detail {

/// T, where another parameter decides what T is.
template <class T>
struct Same {
  using type = T;
};
template <class T>
using same_t = typename Same<T>::type;

} // namespace simt::detail

#define SIMT_HINTED_STORE(name)                                                                              \
  template <class T>                                                                                         \
  SIMT_INLINE void name(T* address, ::simt::detail::same_t<T> value) {                                       \
    *address = value;                                                                                        \
  }
SIMT_HINTED_STORE(__stcg)
SIMT_HINTED_STORE(__stcs)
SIMT_HINTED_STORE(__stwb)
SIMT_HINTED_STORE(__stwt)
#undef SIMT_HINTED_STORE

SIMT_INLINE long long clock64() { return __simt_clock(); }
SIMT_INLINE void __trap() { __simt_trap(); }
SIMT_INLINE void __nanosleep(unsigned) {}

#endif
