// nvcc's built-in atomic functions, __nv_atomic_…, which say their order and scope: as the toolkit has them since CUDA 12.8.
// The sizes and types are those that nvcc takes, but for 16 bytes.
#ifndef SIMT_INCLUDE_SIMT_SHIM_BUILTIN_ATOMICS_H
#define SIMT_INCLUDE_SIMT_SHIM_BUILTIN_ATOMICS_H

#include "simt_shim/atomics.h"

#include <type_traits>

enum {
  __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME = __ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE = __ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE = __ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL = __ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST = __ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace simt::detail {

/// T, which is not deduced from it. (C++17 has no std::type_identity.)
template <class T>
struct AsGiven {
  using type = T;
};
template <class T>
using as_given_t = typename AsGiven<T>::type;

/// The simulator's scope for one of nvcc's. A cluster's counts as the device's.
constexpr int scope_of_builtin(int scope) {
  return scope == __NV_THREAD_SCOPE_THREAD   ? simt_scope_thread
         : scope == __NV_THREAD_SCOPE_BLOCK  ? simt_scope_block
         : scope == __NV_THREAD_SCOPE_SYSTEM ? simt_scope_system
                                             : simt_scope_device;
}

/// An operation of a built-in function on the value at `address`; the value before it.
template <class T>
SIMT_INLINE T builtin_atomic(int operation, volatile T* address, T operand, T compare, int success,
                             int failure, int scope) {
  static_assert(!std::is_const_v<T>, "an atomic function needs a pointer to what is not const");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "the simulator has atomics of 1, 2, 4 and 8 bytes");
  return ordered_atomic<T>(operation, const_cast<T*>(address), operand, compare,
                           success | failure << 4 | scope_of_builtin(scope) << 8);
}

template <class T>
constexpr void require_integer() {
  static_assert(
      std::is_integral_v<T>,
      "the functions that end with _n are for integers; give the one without _n pointers to values");
}

/// What the functions that compute have for types: `floating`, if floating-point numbers are among them.
template <class T, bool floating>
constexpr void require_number() {
  static_assert(
      std::is_integral_v<T> || (floating && (std::is_same_v<T, float> || std::is_same_v<T, double>)),
      "this atomic function is not for values of this type; write a loop with __nv_atomic_compare_exchange");
  static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                "atomic functions that compute are for values of 4 and 8 bytes");
}

} // namespace simt::detail

template <class T>
SIMT_INLINE T __nv_atomic_load_n(volatile T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::simt::detail::require_integer<T>();
  return ::simt::detail::builtin_atomic<T>(simt_atomic_load, address, T(), T(), order, order, scope);
}
template <class T>
SIMT_INLINE void __nv_atomic_load(volatile T* address, ::simt::detail::as_given_t<T>* result, int order,
                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result =
      ::simt::detail::builtin_atomic<T>(simt_atomic_load, address, *result, *result, order, order, scope);
}
template <class T>
SIMT_INLINE void __nv_atomic_store_n(volatile T* address, ::simt::detail::as_given_t<T> value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::simt::detail::require_integer<T>();
  ::simt::detail::builtin_atomic<T>(simt_atomic_store, address, value, value, order, order, scope);
}
template <class T>
SIMT_INLINE void __nv_atomic_store(volatile T* address, ::simt::detail::as_given_t<T>* value, int order,
                                   int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::simt::detail::builtin_atomic<T>(simt_atomic_store, address, *value, *value, order, order, scope);
}
template <class T>
SIMT_INLINE T __nv_atomic_exchange_n(volatile T* address, ::simt::detail::as_given_t<T> value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::simt::detail::require_integer<T>();
  return ::simt::detail::builtin_atomic<T>(simt_atomic_exchange, address, value, value, order, order, scope);
}
template <class T>
SIMT_INLINE void __nv_atomic_exchange(volatile T* address, ::simt::detail::as_given_t<T>* value,
                                      ::simt::detail::as_given_t<T>* result, int order,
                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result =
      ::simt::detail::builtin_atomic<T>(simt_atomic_exchange, address, *value, *value, order, order, scope);
}
/// Whether the value was `*expected`, and now is `*desired`; else `*expected` becomes the value.
template <class T>
SIMT_INLINE bool __nv_atomic_compare_exchange(volatile T* address, ::simt::detail::as_given_t<T>* expected,
                                              ::simt::detail::as_given_t<T>* desired, bool, int success,
                                              int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const T old = ::simt::detail::builtin_atomic<T>(simt_atomic_compare_exchange, address, *desired, *expected,
                                                  success, failure, scope);
  if (__builtin_memcmp(&old, expected, sizeof old) == 0) return true;
  *expected = old;
  return false;
}
template <class T>
SIMT_INLINE bool __nv_atomic_compare_exchange_n(volatile T* address, ::simt::detail::as_given_t<T>* expected,
                                                ::simt::detail::as_given_t<T> desired, bool weak, int success,
                                                int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::simt::detail::require_integer<T>();
  return __nv_atomic_compare_exchange(address, expected, &desired, weak, success, failure, scope);
}

template <class T>
SIMT_INLINE T __nv_atomic_fetch_add(volatile T* address, ::simt::detail::as_given_t<T> value, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  ::simt::detail::require_number<T, true>();
  constexpr int operation = std::is_same_v<T, float>    ? simt_atomic_add_float
                            : std::is_same_v<T, double> ? simt_atomic_add_double
                                                        : simt_atomic_add;
  return ::simt::detail::builtin_atomic<T>(operation, address, value, value, order, order, scope);
}
template <class T>
SIMT_INLINE T __nv_atomic_fetch_sub(volatile T* address, ::simt::detail::as_given_t<T> value, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if constexpr (std::is_integral_v<T>)
    return __nv_atomic_fetch_add(address, static_cast<T>(0ull - static_cast<unsigned long long>(value)),
                                 order, scope);
  else
    return __nv_atomic_fetch_add(address, -value, order, scope);
}

#define SIMT_BUILTIN_ATOMIC(name, operation)                                                                 \
  template <class T>                                                                                         \
  SIMT_INLINE T name(volatile T* address, ::simt::detail::as_given_t<T> value, int order,                    \
                     int scope = __NV_THREAD_SCOPE_SYSTEM) {                                                 \
    ::simt::detail::require_number<T, false>();                                                              \
    return ::simt::detail::builtin_atomic<T>(operation, address, value, value, order, order, scope);         \
  }
SIMT_BUILTIN_ATOMIC(__nv_atomic_fetch_and, simt_atomic_and)
SIMT_BUILTIN_ATOMIC(__nv_atomic_fetch_or, simt_atomic_or)
SIMT_BUILTIN_ATOMIC(__nv_atomic_fetch_xor, simt_atomic_xor)
SIMT_BUILTIN_ATOMIC(__nv_atomic_fetch_min,
                    std::is_signed_v<T> ? simt_atomic_min_signed : simt_atomic_min_unsigned)
SIMT_BUILTIN_ATOMIC(__nv_atomic_fetch_max,
                    std::is_signed_v<T> ? simt_atomic_max_signed : simt_atomic_max_unsigned)
#undef SIMT_BUILTIN_ATOMIC

SIMT_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __simt_ordering_fence(order, ::simt::detail::scope_of_builtin(scope));
}

#endif
