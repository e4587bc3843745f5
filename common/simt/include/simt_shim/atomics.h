// Atomic functions of the programming guide, for the address types that it lists.
#ifndef SIMT_INCLUDE_SIMT_SHIM_ATOMICS_H
#define SIMT_INCLUDE_SIMT_SHIM_ATOMICS_H

#include "simt_shim/sync.h"

namespace simt::detail {

/// The order of what CUDA's functions with _block do.
inline constexpr int order_in_block =
    simt_order_of_cuda | simt_order_of_cuda << 4 | static_cast<int>(simt_scope_block) << 8;

/// As atomic(), with an order and a scope (see __simt_ordered32).
template <class T>
SIMT_INLINE T ordered_atomic(int operation, T* address, T operand, T compare, int order) {
  if constexpr (sizeof(T) == 1)
    return __builtin_bit_cast(T,
                              __simt_ordered8(operation, address, __builtin_bit_cast(unsigned char, operand),
                                              __builtin_bit_cast(unsigned char, compare), order));
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(T, __simt_ordered16(operation, address,
                                                  __builtin_bit_cast(unsigned short, operand),
                                                  __builtin_bit_cast(unsigned short, compare), order));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, __simt_ordered32(operation, address, __builtin_bit_cast(unsigned, operand),
                                                  __builtin_bit_cast(unsigned, compare), order));
  else
    return __builtin_bit_cast(T,
                              __simt_ordered64(operation, address, __builtin_bit_cast(unsigned long, operand),
                                               __builtin_bit_cast(unsigned long, compare), order));
}

template <class T>
SIMT_INLINE T atomic(int operation, T* address, T operand, T compare = T()) {
  if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(T,
                              __simt_atomic16(operation, address, __builtin_bit_cast(unsigned short, operand),
                                              __builtin_bit_cast(unsigned short, compare)));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, __simt_atomic32(operation, address, __builtin_bit_cast(unsigned, operand),
                                                 __builtin_bit_cast(unsigned, compare)));
  else
    return __builtin_bit_cast(T,
                              __simt_atomic64(operation, address, __builtin_bit_cast(unsigned long, operand),
                                              __builtin_bit_cast(unsigned long, compare)));
}

} // namespace simt::detail

namespace simt {

/// What the translator makes of a plain read whose value only feeds a compare-and-swap.
template <class T>
SIMT_INLINE T expected_value(const T& place) {
  if constexpr (!__is_trivially_copyable(T))
    return place;
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(T, __simt_expected2(&place));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, __simt_expected4(&place));
  else if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, __simt_expected8(&place));
  else
    return place;
}
template <class T>
SIMT_INLINE T expected_value(const volatile T& place) {
  return place;
}

} // namespace simt

#define SIMT_ATOMIC(name, T, operation)                                                                      \
  SIMT_INLINE T name(T* address, T value) { return ::simt::detail::atomic<T>(operation, address, value); }   \
  SIMT_INLINE T name##_block(T* address, T value) {                                                          \
    return ::simt::detail::ordered_atomic<T>(operation, address, value, value,                               \
                                             ::simt::detail::order_in_block);                                \
  }                                                                                                          \
  SIMT_INLINE T name##_system(T* address, T value) { return name(address, value); }

SIMT_ATOMIC(atomicAdd, int, simt_atomic_add)
SIMT_ATOMIC(atomicAdd, unsigned int, simt_atomic_add)
SIMT_ATOMIC(atomicAdd, unsigned long long, simt_atomic_add)
SIMT_ATOMIC(atomicAdd, float, simt_atomic_add_float)
SIMT_ATOMIC(atomicAdd, double, simt_atomic_add_double)
SIMT_ATOMIC(atomicExch, int, simt_atomic_exchange)
SIMT_ATOMIC(atomicExch, unsigned int, simt_atomic_exchange)
SIMT_ATOMIC(atomicExch, unsigned long long, simt_atomic_exchange)
SIMT_ATOMIC(atomicExch, float, simt_atomic_exchange)
SIMT_ATOMIC(atomicMin, int, simt_atomic_min_signed)
SIMT_ATOMIC(atomicMin, unsigned int, simt_atomic_min_unsigned)
SIMT_ATOMIC(atomicMin, unsigned long long, simt_atomic_min_unsigned)
SIMT_ATOMIC(atomicMin, long long, simt_atomic_min_signed)
SIMT_ATOMIC(atomicMax, int, simt_atomic_max_signed)
SIMT_ATOMIC(atomicMax, unsigned int, simt_atomic_max_unsigned)
SIMT_ATOMIC(atomicMax, unsigned long long, simt_atomic_max_unsigned)
SIMT_ATOMIC(atomicMax, long long, simt_atomic_max_signed)
SIMT_ATOMIC(atomicInc, unsigned int, simt_atomic_increment_wrap)
SIMT_ATOMIC(atomicDec, unsigned int, simt_atomic_decrement_wrap)
SIMT_ATOMIC(atomicAnd, int, simt_atomic_and)
SIMT_ATOMIC(atomicAnd, unsigned int, simt_atomic_and)
SIMT_ATOMIC(atomicAnd, unsigned long long, simt_atomic_and)
SIMT_ATOMIC(atomicOr, int, simt_atomic_or)
SIMT_ATOMIC(atomicOr, unsigned int, simt_atomic_or)
SIMT_ATOMIC(atomicOr, unsigned long long, simt_atomic_or)
SIMT_ATOMIC(atomicXor, int, simt_atomic_xor)
SIMT_ATOMIC(atomicXor, unsigned int, simt_atomic_xor)
SIMT_ATOMIC(atomicXor, unsigned long long, simt_atomic_xor)
#undef SIMT_ATOMIC

#define SIMT_ATOMIC_SUB(T)                                                                                   \
  SIMT_INLINE T atomicSub(T* address, T value) {                                                             \
    return atomicAdd(address, static_cast<T>(0u - static_cast<unsigned>(value)));                            \
  }                                                                                                          \
  SIMT_INLINE T atomicSub_block(T* address, T value) {                                                       \
    return atomicAdd_block(address, static_cast<T>(0u - static_cast<unsigned>(value)));                      \
  }                                                                                                          \
  SIMT_INLINE T atomicSub_system(T* address, T value) { return atomicSub(address, value); }
SIMT_ATOMIC_SUB(int)
SIMT_ATOMIC_SUB(unsigned int)
#undef SIMT_ATOMIC_SUB

// For global memory only, from compute capability 9.0 on: each component by itself is atomic.
#define SIMT_ATOMIC_VECTOR(name)                                                                             \
  SIMT_INLINE float2 name(float2* address, float2 value) {                                                   \
    unsigned long operand, old;                                                                              \
    __builtin_memcpy(&operand, &value, 8);                                                                   \
    old = __simt_atomic64(simt_atomic_add_float2, address, operand, 0);                                      \
    float parts[2];                                                                                          \
    __builtin_memcpy(parts, &old, 8);                                                                        \
    return float2(parts[0], parts[1]);                                                                       \
  }                                                                                                          \
  SIMT_INLINE float4 name(float4* address, float4 value) {                                                   \
    float operand[4] = {value.x, value.y, value.z, value.w}, old[4];                                         \
    __simt_atomic_add_float4(address, operand, old);                                                         \
    return float4(old[0], old[1], old[2], old[3]);                                                           \
  }
SIMT_ATOMIC_VECTOR(atomicAdd)
SIMT_ATOMIC_VECTOR(atomicAdd_block)
SIMT_ATOMIC_VECTOR(atomicAdd_system)
#undef SIMT_ATOMIC_VECTOR

#define SIMT_ATOMIC_CAS(T)                                                                                   \
  SIMT_INLINE T atomicCAS(T* address, T compare, T value) {                                                  \
    return ::simt::detail::atomic<T>(simt_atomic_compare_exchange, address, value, compare);                 \
  }                                                                                                          \
  SIMT_INLINE T atomicCAS_block(T* address, T compare, T value) {                                            \
    return ::simt::detail::ordered_atomic<T>(simt_atomic_compare_exchange, address, value, compare,          \
                                             ::simt::detail::order_in_block);                                \
  }                                                                                                          \
  SIMT_INLINE T atomicCAS_system(T* address, T compare, T value) {                                           \
    return atomicCAS(address, compare, value);                                                               \
  }
SIMT_ATOMIC_CAS(int)
SIMT_ATOMIC_CAS(unsigned int)
SIMT_ATOMIC_CAS(unsigned long long)
SIMT_ATOMIC_CAS(unsigned short)
#undef SIMT_ATOMIC_CAS

#endif
