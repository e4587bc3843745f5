// libcu++'s atomics as the simulator provides them, written for it: cuda::atomic, cuda::atomic_ref, cuda::std::atomic,
// fences. Orders and scopes take part in the race check; loads and stores are counted as such, all else as atomics.
#ifndef SIMT_INCLUDE_SIMT_SHIM_CPP_ATOMICS_H
#define SIMT_INCLUDE_SIMT_SHIM_CPP_ATOMICS_H

#include "simt_shim/atomics.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace cuda {

enum thread_scope {
  thread_scope_system = simt_scope_system,
  thread_scope_device = simt_scope_device,
  thread_scope_block = simt_scope_block,
  thread_scope_thread = simt_scope_thread
};

namespace std {

enum memory_order : int {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

} // namespace cuda

namespace simt::detail {

using ::cuda::memory_order;
using ::cuda::thread_scope;

/// The order of a compare_exchange that fails, where only the other one is given.
constexpr memory_order order_of_failure(memory_order order) {
  return order == ::cuda::memory_order_acq_rel   ? ::cuda::memory_order_acquire
         : order == ::cuda::memory_order_release ? ::cuda::memory_order_relaxed
                                                 : order;
}

constexpr int packed_order(memory_order success, memory_order failure, thread_scope scope) {
  return static_cast<int>(success) | static_cast<int>(failure) << 4 | static_cast<int>(scope) << 8;
}

/// The operations on a value of type T that lies at `address`.
template <class T, thread_scope Scope>
struct AtomicValue {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "the simulator has atomics of 1, 2, 4 and 8 bytes");
  static_assert(__is_trivially_copyable(T), "the type of an atomic is copied as its bytes are");

  SIMT_INLINE static T apply(int operation, T* address, T operand, T compare, memory_order success,
                             memory_order failure) {
    return ordered_atomic<T>(operation, address, operand, compare, packed_order(success, failure, Scope));
  }
  SIMT_INLINE static T apply(int operation, T* address, T operand, memory_order order) {
    return apply(operation, address, operand, operand, order, order);
  }
  SIMT_INLINE static T load(T* address, memory_order order) {
    if constexpr (::std::is_default_constructible_v<T>) {
      return apply(simt_atomic_load, address, T(), order);
    } else {
      alignas(T) unsigned char nothing[sizeof(T)] = {};
      return apply(simt_atomic_load, address, *reinterpret_cast<T*>(nothing), order);
    }
  }
  SIMT_INLINE static bool compare_exchange(T* address, T& expected, T desired, memory_order success,
                                           memory_order failure) {
    const T old = apply(simt_atomic_compare_exchange, address, desired, expected, success, failure);
    if (__builtin_memcmp(&old, &expected, sizeof old) == 0) return true;
    expected = old;
    return false;
  }
  /// Replaces the value by what `combine` makes of it, as the device does where it has no instruction for that.
  template <class Combine>
  SIMT_INLINE static T replace(T* address, memory_order order, Combine combine) {
    T old = load(address, ::cuda::memory_order_relaxed);
    while (!compare_exchange(address, old, combine(old), order, order_of_failure(order))) {
    }
    return old;
  }

  SIMT_INLINE static T add(T* address, T operand, memory_order order) {
    if constexpr (::std::is_same_v<T, float>)
      return apply(simt_atomic_add_float, address, operand, order);
    else if constexpr (::std::is_same_v<T, double>)
      return apply(simt_atomic_add_double, address, operand, order);
    else if constexpr (::std::is_integral_v<T>)
      return apply(simt_atomic_add, address, operand, order);
    else
      return replace(
          address,
          order, [&](T old) __attribute__((always_inline)) { return static_cast<T>(old + operand); });
  }
  SIMT_INLINE static T minimum(T* address, T operand, memory_order order) {
    if constexpr (::std::is_integral_v<T>)
      return apply(::std::is_signed_v<T> ? simt_atomic_min_signed : simt_atomic_min_unsigned, address,
                   operand, order);
    else
      return replace(
          address,
          order, [&](T old) __attribute__((always_inline)) { return operand < old ? operand : old; });
  }
  SIMT_INLINE static T maximum(T* address, T operand, memory_order order) {
    if constexpr (::std::is_integral_v<T>)
      return apply(::std::is_signed_v<T> ? simt_atomic_max_signed : simt_atomic_max_unsigned, address,
                   operand, order);
    else
      return replace(
          address,
          order, [&](T old) __attribute__((always_inline)) { return old < operand ? operand : old; });
  }
};

/// What atomics and references to atomics of T have: `Self` says where the value lies.
template <class Self, class T, thread_scope Scope>
class AtomicOperations {
  using Value = AtomicValue<T, Scope>;
  SIMT_INLINE T* address() const volatile {
    return const_cast<const Self*>(static_cast<const volatile Self*>(this))->simt_address();
  }

protected:
  static constexpr bool is_integer = ::std::is_integral_v<T> && !::std::is_same_v<T, bool>;
  static constexpr bool is_number = is_integer || ::std::is_floating_point_v<T>;
  static constexpr bool is_pointer = ::std::is_pointer_v<T>;
  using Difference = ::std::conditional_t<is_pointer, ::std::ptrdiff_t, T>;

public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  SIMT_INLINE bool is_lock_free() const volatile { return true; }

  SIMT_INLINE T load(memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    return Value::load(address(), order);
  }
  SIMT_INLINE operator T() const volatile { return load(); }
  SIMT_INLINE void store(T value, memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    Value::apply(simt_atomic_store, address(), value, order);
  }
  SIMT_INLINE T exchange(T value, memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    return Value::apply(simt_atomic_exchange, address(), value, order);
  }
  SIMT_INLINE bool compare_exchange_strong(T& expected, T desired, memory_order success,
                                           memory_order failure) const volatile {
    return Value::compare_exchange(address(), expected, desired, success, failure);
  }
  SIMT_INLINE bool compare_exchange_strong(T& expected, T desired,
                                           memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    return Value::compare_exchange(address(), expected, desired, order, order_of_failure(order));
  }
  SIMT_INLINE bool compare_exchange_weak(T& expected, T desired, memory_order success,
                                         memory_order failure) const volatile {
    return Value::compare_exchange(address(), expected, desired, success, failure);
  }
  SIMT_INLINE bool compare_exchange_weak(T& expected, T desired,
                                         memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    return Value::compare_exchange(address(), expected, desired, order, order_of_failure(order));
  }

  /// Waits until the value is another one.
  SIMT_INLINE void wait(T old, memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    for (T now = load(order); __builtin_memcmp(&now, &old, sizeof now) == 0;) now = load(order);
  }
  SIMT_INLINE void notify_one() const volatile {}
  SIMT_INLINE void notify_all() const volatile {}

  SIMT_INLINE T fetch_add(Difference operand, memory_order order = ::cuda::memory_order_seq_cst) const
      volatile {
    static_assert(is_number || is_pointer, "only atomics of numbers and of pointers have fetch_add");
    if constexpr (is_pointer)
      return reinterpret_cast<T>(AtomicValue<::std::uintptr_t, Scope>::apply(
          simt_atomic_add, reinterpret_cast<::std::uintptr_t*>(address()), scaled(operand), order));
    else
      return Value::add(address(), operand, order);
  }
  SIMT_INLINE T fetch_sub(Difference operand, memory_order order = ::cuda::memory_order_seq_cst) const
      volatile {
    static_assert(is_number || is_pointer, "only atomics of numbers and of pointers have fetch_sub");
    if constexpr (is_integer)
      return Value::add(address(), static_cast<T>(0u - static_cast<::std::make_unsigned_t<T>>(operand)),
                        order);
    else
      return fetch_add(-operand, order);
  }
  SIMT_INLINE T fetch_and(T operand, memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    static_assert(is_integer, "only atomics of integers have fetch_and");
    return Value::apply(simt_atomic_and, address(), operand, order);
  }
  SIMT_INLINE T fetch_or(T operand, memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    static_assert(is_integer, "only atomics of integers have fetch_or");
    return Value::apply(simt_atomic_or, address(), operand, order);
  }
  SIMT_INLINE T fetch_xor(T operand, memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    static_assert(is_integer, "only atomics of integers have fetch_xor");
    return Value::apply(simt_atomic_xor, address(), operand, order);
  }
  SIMT_INLINE T fetch_min(T operand, memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    static_assert(is_number, "only atomics of numbers have fetch_min");
    return Value::minimum(address(), operand, order);
  }
  SIMT_INLINE T fetch_max(T operand, memory_order order = ::cuda::memory_order_seq_cst) const volatile {
    static_assert(is_number, "only atomics of numbers have fetch_max");
    return Value::maximum(address(), operand, order);
  }

  SIMT_INLINE T operator+=(Difference operand) const volatile { return fetch_add(operand) + operand; }
  SIMT_INLINE T operator-=(Difference operand) const volatile { return fetch_sub(operand) - operand; }
  SIMT_INLINE T operator&=(T operand) const volatile { return fetch_and(operand) & operand; }
  SIMT_INLINE T operator|=(T operand) const volatile { return fetch_or(operand) | operand; }
  SIMT_INLINE T operator^=(T operand) const volatile { return fetch_xor(operand) ^ operand; }
  SIMT_INLINE T operator++() const volatile { return fetch_add(1) + 1; }
  SIMT_INLINE T operator--() const volatile { return fetch_sub(1) - 1; }
  SIMT_INLINE T operator++(int) const volatile { return fetch_add(1); }
  SIMT_INLINE T operator--(int) const volatile { return fetch_sub(1); }

private:
  SIMT_INLINE static ::std::uintptr_t scaled(::std::ptrdiff_t elements) {
    return static_cast<::std::uintptr_t>(elements) * sizeof(::std::remove_pointer_t<T>);
  }
};

} // namespace simt::detail

namespace cuda {

/// A value that threads of the scope update without racing.
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public ::simt::detail::AtomicOperations<atomic<T, Scope>, T, Scope> {
public:
  atomic() = default;
  SIMT_INLINE constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  atomic& operator=(const atomic&) volatile = delete;
  SIMT_INLINE T operator=(T value) {
    this->store(value);
    return value;
  }
  SIMT_INLINE T operator=(T value) volatile {
    this->store(value);
    return value;
  }

  /// Where the value lies. (Not part of libcu++'s interface.)
  SIMT_INLINE T* simt_address() const { return const_cast<T*>(::std::addressof(value_)); }

private:
  alignas(sizeof(T)) T value_;
};

/// Makes the operations on a variable of any type atomic, for as long as it refers to it.
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public ::simt::detail::AtomicOperations<atomic_ref<T, Scope>, T, Scope> {
public:
  static constexpr ::std::size_t required_alignment = sizeof(T);
  SIMT_INLINE explicit atomic_ref(T& variable) : address_(::std::addressof(variable)) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  SIMT_INLINE T operator=(T value) const {
    this->store(value);
    return value;
  }

  /// Where the value lies. (Not part of libcu++'s interface.)
  SIMT_INLINE T* simt_address() const { return address_; }

private:
  T* address_;
};

SIMT_INLINE void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  __simt_ordering_fence(static_cast<int>(order), static_cast<int>(scope));
}
SIMT_INLINE void atomic_signal_fence(memory_order) { __asm__ __volatile__("" ::: "memory"); }

template <class T, thread_scope Scope>
SIMT_INLINE T atomic_fetch_min_explicit(atomic<T, Scope>* object, T operand, memory_order order) {
  return object->fetch_min(operand, order);
}
template <class T, thread_scope Scope>
SIMT_INLINE T atomic_fetch_max_explicit(atomic<T, Scope>* object, T operand, memory_order order) {
  return object->fetch_max(operand, order);
}

namespace std {

/// As cuda::atomic for all threads of the system.
template <class T>
class atomic : public ::cuda::atomic<T, thread_scope_system> {
public:
  atomic() = default;
  SIMT_INLINE constexpr atomic(T value) : ::cuda::atomic<T, thread_scope_system>(value) {}
  using ::cuda::atomic<T, thread_scope_system>::operator=;
};
template <class T>
class atomic_ref : public ::cuda::atomic_ref<T, thread_scope_system> {
public:
  SIMT_INLINE explicit atomic_ref(T& variable) : ::cuda::atomic_ref<T, thread_scope_system>(variable) {}
  using ::cuda::atomic_ref<T, thread_scope_system>::operator=;
};

using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_int32_t = atomic<::std::int32_t>;
using atomic_uint32_t = atomic<::std::uint32_t>;
using atomic_int64_t = atomic<::std::int64_t>;
using atomic_uint64_t = atomic<::std::uint64_t>;
using atomic_size_t = atomic<::std::size_t>;
using atomic_ptrdiff_t = atomic<::std::ptrdiff_t>;

/// A bit that is set or clear.
class atomic_flag {
public:
  atomic_flag() = default;
  SIMT_INLINE constexpr atomic_flag(bool value) : value_(value) {}
  atomic_flag(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) = delete;
  SIMT_INLINE bool test(memory_order order = memory_order_seq_cst) const volatile {
    return value_.load(order) != 0;
  }
  SIMT_INLINE bool test_and_set(memory_order order = memory_order_seq_cst) volatile {
    return value_.exchange(1, order) != 0;
  }
  SIMT_INLINE void clear(memory_order order = memory_order_seq_cst) volatile { value_.store(0, order); }
  SIMT_INLINE void wait(bool value, memory_order order = memory_order_seq_cst) const volatile {
    value_.wait(value, order);
  }
  SIMT_INLINE void notify_one() volatile {}
  SIMT_INLINE void notify_all() volatile {}

private:
  atomic<int> value_{0};
};

using ::cuda::atomic_signal_fence;
SIMT_INLINE void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }

// The functions beside the members.
#define SIMT_ATOMIC_FUNCTION(name, member)                                                                   \
  template <class T, class Operand>                                                                          \
  SIMT_INLINE auto name(volatile atomic<T>* object, Operand operand) {                                       \
    return object->member(operand);                                                                          \
  }                                                                                                          \
  template <class T, class Operand>                                                                          \
  SIMT_INLINE auto name##_explicit(volatile atomic<T>* object, Operand operand, memory_order order) {        \
    return object->member(operand, order);                                                                   \
  }
SIMT_ATOMIC_FUNCTION(atomic_store, store)
SIMT_ATOMIC_FUNCTION(atomic_exchange, exchange)
SIMT_ATOMIC_FUNCTION(atomic_fetch_add, fetch_add)
SIMT_ATOMIC_FUNCTION(atomic_fetch_sub, fetch_sub)
SIMT_ATOMIC_FUNCTION(atomic_fetch_and, fetch_and)
SIMT_ATOMIC_FUNCTION(atomic_fetch_or, fetch_or)
SIMT_ATOMIC_FUNCTION(atomic_fetch_xor, fetch_xor)
#undef SIMT_ATOMIC_FUNCTION
template <class T>
SIMT_INLINE T atomic_load(const volatile atomic<T>* object) {
  return object->load();
}
template <class T>
SIMT_INLINE T atomic_load_explicit(const volatile atomic<T>* object, memory_order order) {
  return object->load(order);
}
template <class T>
SIMT_INLINE void atomic_init(volatile atomic<T>* object, T value) {
  object->store(value, memory_order_relaxed);
}
template <class T>
SIMT_INLINE bool atomic_compare_exchange_strong(volatile atomic<T>* object, T* expected, T desired) {
  return object->compare_exchange_strong(*expected, desired);
}
template <class T>
SIMT_INLINE bool atomic_compare_exchange_weak(volatile atomic<T>* object, T* expected, T desired) {
  return object->compare_exchange_weak(*expected, desired);
}

} // namespace std
} // namespace cuda

#endif
