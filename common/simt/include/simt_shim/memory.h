// Loads and stores with cache hints: the hint changes no count that the simulator keeps.
#ifndef SIMT_INCLUDE_SIMT_SHIM_MEMORY_H
#define SIMT_INCLUDE_SIMT_SHIM_MEMORY_H

#include "simt_shim/entry_points.h"

#define SIMT_HINTED_LOAD(name)                                                                               \
  template <class T>                                                                                         \
  SIMT_INLINE T name(const T* address) {                                                                     \
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
