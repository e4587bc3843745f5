// Warp functions without a mask, which devices before 2017 had: among the lanes that are active together. They are there
// with simtcc's option --legacy-warp-functions alone.
#ifndef SIMT_INCLUDE_SIMT_SHIM_LEGACY_WARP_H
#define SIMT_INCLUDE_SIMT_SHIM_LEGACY_WARP_H

#include "simt_shim/sync.h"

SIMT_INLINE unsigned __ballot(int predicate, SIMT_CALLER) {
  return static_cast<unsigned>(__simt_warp_exchange(simt_warp_ballot | simt_warp_without_mask, 0xffffffffu,
                                                    predicate != 0, 0, 32, simt_file, simt_line));
}
SIMT_INLINE int __any(int predicate, SIMT_CALLER) { return __ballot(predicate, simt_file, simt_line) != 0; }
SIMT_INLINE int __all(int predicate, SIMT_CALLER) { return __ballot(!predicate, simt_file, simt_line) == 0; }

#define SIMT_SHUFFLE_WITHOUT_MASK(name, kind, Operand)                                                       \
  template <class T, std::enable_if_t<!::simt::detail::IsSmallFloat<T>::value, int> = 0>                           \
  SIMT_INLINE ::simt::detail::exchanged_t<T> name(T value, Operand operand, int width = 32, SIMT_CALLER) {   \
    ::simt::detail::exchanged_t<T> promoted = value;                                                         \
    return ::simt::detail::from_bits<::simt::detail::exchanged_t<T>>(                                        \
        __simt_warp_exchange(kind | simt_warp_without_mask, 0xffffffffu, ::simt::detail::to_bits(promoted),  \
                             static_cast<int>(operand), width, simt_file, simt_line));                       \
  }
SIMT_SHUFFLE_WITHOUT_MASK(__shfl, simt_warp_shuffle_index, int)
SIMT_SHUFFLE_WITHOUT_MASK(__shfl_up, simt_warp_shuffle_up, unsigned)
SIMT_SHUFFLE_WITHOUT_MASK(__shfl_down, simt_warp_shuffle_down, unsigned)
SIMT_SHUFFLE_WITHOUT_MASK(__shfl_xor, simt_warp_shuffle_xor, int)
#undef SIMT_SHUFFLE_WITHOUT_MASK

#endif
