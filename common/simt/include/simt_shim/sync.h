// Barriers, fences, votes and shuffles.
#ifndef SIMT_INCLUDE_SIMT_SHIM_SYNC_H
#define SIMT_INCLUDE_SIMT_SHIM_SYNC_H

#include "simt_shim/builtins.h"

#include <cstring>
#include <type_traits>

// The default arguments record the line of the call itself: a compiler may copy a call, but not its line.
#define SIMT_CALLER const char *simt_file = __builtin_FILE(), int simt_line = __builtin_LINE()

SIMT_INLINE void __syncthreads(SIMT_CALLER) {
  __simt_block_barrier(simt_barrier_plain, 0, simt_file, simt_line);
}
SIMT_INLINE int __syncthreads_count(int predicate, SIMT_CALLER) {
  return __simt_block_barrier(simt_barrier_count, predicate, simt_file, simt_line);
}
SIMT_INLINE int __syncthreads_and(int predicate, SIMT_CALLER) {
  return __simt_block_barrier(simt_barrier_and, predicate, simt_file, simt_line);
}
SIMT_INLINE int __syncthreads_or(int predicate, SIMT_CALLER) {
  return __simt_block_barrier(simt_barrier_or, predicate, simt_file, simt_line);
}

SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu, SIMT_CALLER) {
  __simt_warp_exchange(simt_warp_sync, mask, 0, 0, 32, simt_file, simt_line);
}

// Simulated threads run one after the other, so a fence orders nothing; race checks need to know of it, and
// compilers do not move accesses across the call.
SIMT_INLINE void __threadfence() { __simt_fence(0); }
SIMT_INLINE void __threadfence_block() { __simt_fence(1); }
SIMT_INLINE void __threadfence_system() { __simt_fence(0); }

// Programmatic dependent launch lets a kernel begin before the one ahead of it in its stream has ended. Here it never does, so
// there is nothing to wait for.
SIMT_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}
SIMT_INLINE void cudaGridDependencySynchronize() {}

SIMT_INLINE unsigned __activemask(SIMT_CALLER) {
  return static_cast<unsigned>(__simt_warp_exchange(simt_warp_active, 0, 0, 0, 32, simt_file, simt_line));
}
SIMT_INLINE unsigned __ballot_sync(unsigned mask, int predicate, SIMT_CALLER) {
  return static_cast<unsigned>(
      __simt_warp_exchange(simt_warp_ballot, mask, predicate != 0, 0, 32, simt_file, simt_line));
}
SIMT_INLINE int __any_sync(unsigned mask, int predicate, SIMT_CALLER) {
  return __ballot_sync(mask, predicate, simt_file, simt_line) != 0;
}
SIMT_INLINE int __all_sync(unsigned mask, int predicate, SIMT_CALLER) {
  return __ballot_sync(mask, !predicate, simt_file, simt_line) == 0;
}

namespace simt::detail {

template <class T>
constexpr auto promoted(T value) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>,
                "warp exchanges take the numbers that the programming guide lists; exchange the members of "
                "a structure one by one (half needs cuda_fp16.h, bfloat16 cuda_bf16.h)");
  return +value;
}
/// Whether cuda_fp16.h or cuda_bf16.h has overloads for T.
template <class T>
struct IsSmallFloat : std::false_type {};
/// As a call of CUDA's overloads converts: small integers become int.
template <class T>
using exchanged_t = decltype(promoted(T()));

template <class T>
SIMT_INLINE unsigned long to_bits(T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "warp exchanges take 4- and 8-byte values");
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(unsigned, value);
  else
    return __builtin_bit_cast(unsigned long, value);
}

template <class T>
SIMT_INLINE T from_bits(unsigned long bits) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, static_cast<unsigned>(bits));
  else
    return __builtin_bit_cast(T, bits);
}

} // namespace simt::detail

#define SIMT_SHUFFLE(name, kind, Operand)                                                                    \
  template <class T, std::enable_if_t<!::simt::detail::IsSmallFloat<T>::value, int> = 0>                     \
  SIMT_INLINE ::simt::detail::exchanged_t<T> name(unsigned mask, T value, Operand operand, int width = 32,   \
                                                  SIMT_CALLER) {                                             \
    ::simt::detail::exchanged_t<T> promoted = value;                                                         \
    return ::simt::detail::from_bits<::simt::detail::exchanged_t<T>>(                                        \
        __simt_warp_exchange(kind, mask, ::simt::detail::to_bits(promoted), static_cast<int>(operand),       \
                             width, simt_file, simt_line));                                                  \
  }
SIMT_SHUFFLE(__shfl_sync, simt_warp_shuffle_index, int)
SIMT_SHUFFLE(__shfl_up_sync, simt_warp_shuffle_up, unsigned)
SIMT_SHUFFLE(__shfl_down_sync, simt_warp_shuffle_down, unsigned)
SIMT_SHUFFLE(__shfl_xor_sync, simt_warp_shuffle_xor, int)
#undef SIMT_SHUFFLE

template <class T>
SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value, SIMT_CALLER) {
  ::simt::detail::exchanged_t<T> promoted = value;
  return static_cast<unsigned>(__simt_warp_exchange(
      simt_warp_match_any, mask, ::simt::detail::to_bits(promoted), 0, 32, simt_file, simt_line));
}
template <class T>
SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all_equal, SIMT_CALLER) {
  ::simt::detail::exchanged_t<T> promoted = value;
  unsigned result = static_cast<unsigned>(__simt_warp_exchange(
      simt_warp_match_all, mask, ::simt::detail::to_bits(promoted), 0, 32, simt_file, simt_line));
  *all_equal = result != 0;
  return result;
}

#define SIMT_REDUCE(name, T, operation)                                                                      \
  SIMT_INLINE T name(unsigned mask, T value, SIMT_CALLER) {                                                  \
    return static_cast<T>(__simt_warp_exchange(simt_warp_reduce, mask, static_cast<unsigned>(value),         \
                                               operation, 32, simt_file, simt_line));                        \
  }
SIMT_REDUCE(__reduce_add_sync, int, simt_atomic_add)
SIMT_REDUCE(__reduce_add_sync, unsigned, simt_atomic_add)
SIMT_REDUCE(__reduce_min_sync, int, simt_atomic_min_signed)
SIMT_REDUCE(__reduce_min_sync, unsigned, simt_atomic_min_unsigned)
SIMT_REDUCE(__reduce_max_sync, int, simt_atomic_max_signed)
SIMT_REDUCE(__reduce_max_sync, unsigned, simt_atomic_max_unsigned)
SIMT_REDUCE(__reduce_and_sync, unsigned, simt_atomic_and)
SIMT_REDUCE(__reduce_or_sync, unsigned, simt_atomic_or)
SIMT_REDUCE(__reduce_xor_sync, unsigned, simt_atomic_xor)
#undef SIMT_REDUCE

#endif
