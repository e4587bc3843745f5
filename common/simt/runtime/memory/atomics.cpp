// Atomic updates: those of CUDA's atomic functions, and those of C++ atomics that the compiler reports.
// Threads run one at a time and are never interrupted here, so plain operations are atomic enough.
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/memory_access.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt_shim/small_float_bits.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace simt;

namespace {

/// The sums of two 16-bit floats in each word, of the format.
template <class Format>
std::uint32_t add_pairs(std::uint32_t a, std::uint32_t b) {
  const auto sum = [&](unsigned shift) {
    return std::uint32_t{
        Format::add(static_cast<std::uint16_t>(a >> shift), static_cast<std::uint16_t>(b >> shift))};
  };
  return sum(0) | sum(16) << 16;
}

template <class Bits>
Bits apply(int operation, Bits old, Bits operand, Bits compare) {
  using Signed = std::make_signed_t<Bits>;
  switch (operation) {
  case simt_atomic_load:
    return old;
  case simt_atomic_exchange:
  case simt_atomic_store:
    return operand;
  case simt_atomic_compare_exchange:
    return old == compare ? operand : old;
  case simt_atomic_add:
    return static_cast<Bits>(old + operand);
  case simt_atomic_and:
    return old & operand;
  case simt_atomic_or:
    return old | operand;
  case simt_atomic_xor:
    return old ^ operand;
  case simt_atomic_min_signed:
    return static_cast<Signed>(operand) < static_cast<Signed>(old) ? operand : old;
  case simt_atomic_max_signed:
    return static_cast<Signed>(operand) > static_cast<Signed>(old) ? operand : old;
  case simt_atomic_min_unsigned:
    return operand < old ? operand : old;
  case simt_atomic_max_unsigned:
    return operand > old ? operand : old;
  case simt_atomic_increment_wrap:
    return old >= operand ? 0 : static_cast<Bits>(old + 1);
  case simt_atomic_decrement_wrap:
    return old == 0 || old > operand ? operand : static_cast<Bits>(old - 1);
  case simt_atomic_add_float:
    if constexpr (sizeof(Bits) == 4)
      return __builtin_bit_cast(Bits, __builtin_bit_cast(float, old) + __builtin_bit_cast(float, operand));
    break;
  case simt_atomic_add_double:
    if constexpr (sizeof(Bits) == 8)
      return __builtin_bit_cast(Bits, __builtin_bit_cast(double, old) + __builtin_bit_cast(double, operand));
    break;
  case simt_atomic_add_half:
    if constexpr (sizeof(Bits) == 2) return half_bits::add(old, operand);
    break;
  case simt_atomic_add_half2:
    if constexpr (sizeof(Bits) == 4) return add_pairs<half_bits>(old, operand);
    break;
  case simt_atomic_add_bfloat16:
    if constexpr (sizeof(Bits) == 2) return bfloat16_bits::add(old, operand);
    break;
  case simt_atomic_add_bfloat162:
    if constexpr (sizeof(Bits) == 4) return add_pairs<bfloat16_bits>(old, operand);
    break;
  case simt_atomic_add_float2:
    if constexpr (sizeof(Bits) == 8) {
      Bits result = 0;
      for (unsigned shift : {0, 32}) {
        float sum = __builtin_bit_cast(float, static_cast<std::uint32_t>(old >> shift)) +
                    __builtin_bit_cast(float, static_cast<std::uint32_t>(operand >> shift));
        result |= Bits{__builtin_bit_cast(std::uint32_t, sum)} << shift;
      }
      return result;
    }
    break;
  }
  return old;
}

/// A subnormal float as 0 of its sign. Additions of floats in global memory take and leave such numbers so, those in shared
/// memory do not (PTX, `atom.add.f32`).
std::uint32_t without_subnormal(std::uint32_t bits) {
  return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

/// Whether the operation only asks for the value, as a loop does that waits for it to change.
template <class Bits>
bool is_poll(int operation, Bits old, Bits operand, Bits compare) {
  switch (operation) {
  case simt_atomic_load:
    return true;
  case simt_atomic_exchange:
    return old == operand;
  case simt_atomic_compare_exchange:
    return old != compare;
  case simt_atomic_add:
  case simt_atomic_or:
    return operand == 0;
  default:
    return false;
  }
}

/// Whether other threads can tell that the operation took place.
template <class Bits>
bool is_write(int operation, Bits old, Bits operand, Bits compare) {
  return operation == simt_atomic_exchange || operation == simt_atomic_store ||
         !is_poll(operation, old, operand, compare);
}

/// Host code may have threads.
template <class Bits>
Bits update_on_host(int operation, void* pointer, Bits operand, Bits compare) {
  auto* target = static_cast<Bits*>(pointer);
  Bits old = __atomic_load_n(target, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(target, &old, apply(operation, old, operand, compare), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  return old;
}

template <class Bits>
AtomicForm form_of(int operation, Bits operand) {
  switch (operation) {
  case simt_atomic_add:
    if constexpr (sizeof(Bits) == 8) return AtomicForm::loops;
    return sizeof(Bits) == 4 && operand == 1 ? AtomicForm::increments : AtomicForm::plain;
  case simt_atomic_add_float:
  case simt_atomic_add_double:
    return AtomicForm::loops;
  case simt_atomic_add_half2:
  case simt_atomic_add_bfloat162:
    return AtomicForm::loops_of_pairs;
  case simt_atomic_compare_exchange:
    return AtomicForm::swaps;
  default:
    return AtomicForm::plain;
  }
}

/// Of the access that the running lane has made last.
void note_form(AtomicForm form) { warp_log.previous->form = std::max(warp_log.previous->form, form); }

template <class Bits>
[[gnu::always_inline]] inline Bits update(int operation, void* pointer, Bits operand, Bits compare,
                                          std::uintptr_t site) {
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  if (machine.lane) machine.exchanging = operation == simt_atomic_exchange;
  access_memory<sizeof(Bits), Access::atomic>(address, site);
  if (machine.lane && in_shared(address)) note_form(form_of(operation, operand));
  if (!machine.lane) return update_on_host<Bits>(operation, pointer, operand, compare);
  Bits old;
  std::memcpy(&old, pointer, sizeof old);
  Bits result;
  if constexpr (sizeof(Bits) == 4)
    result = operation == simt_atomic_add_float && !in_shared(address)
                 ? without_subnormal(apply(operation, without_subnormal(old), without_subnormal(operand), 0u))
                 : apply(operation, old, operand, compare);
  else
    result = apply(operation, old, operand, compare);
  std::memcpy(pointer, &result, sizeof result);
  acquire_from(address);
  if (is_write(operation, old, operand, compare)) release_to(address);
  if (is_poll(operation, old, operand, compare)) note_poll(site, address, old, sizeof old);
  return old;
}

constexpr Access access_of(int operation) {
  return operation == simt_atomic_load    ? Access::read
         : operation == simt_atomic_store ? Access::write
                                          : Access::atomic;
}

/// An access of libcu++'s atomics: one of a thread's own, or one that is atomic for its block or for all.
template <class Bits, Access Kind>
[[gnu::always_inline]] inline void access_ordered(int scope, std::uintptr_t address, std::uintptr_t site) {
  constexpr unsigned size = sizeof(Bits);
  if (scope == simt_scope_thread) {
    if (Kind != Access::write) access_memory<size, Access::read>(address, site);
    if (Kind != Access::read) access_memory<size, Access::write>(address, site);
  } else if (scope == simt_scope_block) {
    machine.atomic_flags = mark_strong | mark_narrow;
    access_memory<size, Kind, false, mark_strong | mark_narrow, true>(address, site);
  } else {
    machine.atomic_flags = mark_strong;
    access_memory<size, Kind, false, mark_strong, true>(address, site);
  }
  machine.atomic_flags = 0;
}

/// What `order` and its like in the entry points hold.
struct Ordering {
  int success, failure, scope;
  explicit Ordering(int packed) : success(packed & 15), failure(packed >> 4 & 15), scope(packed >> 8) {}
};

/// Operations of libcu++'s atomics, and CUDA's with a scope.
template <class Bits>
Bits ordered(int operation, void* pointer, Bits operand, Bits compare, int packed, std::uintptr_t site) {
  const Ordering order(packed);
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  const bool within_thread = order.scope == simt_scope_thread;
  if (machine.lane && !within_thread && operation != simt_atomic_load && order.success >= __ATOMIC_RELEASE &&
      order.success <= __ATOMIC_SEQ_CST)
    pass_fence(order.scope == simt_scope_block);
  if (machine.lane) machine.exchanging = operation == simt_atomic_exchange;
  switch (access_of(operation)) {
  case Access::read:
    access_ordered<Bits, Access::read>(order.scope, address, site);
    break;
  case Access::write:
    access_ordered<Bits, Access::write>(order.scope, address, site);
    break;
  case Access::atomic:
    access_ordered<Bits, Access::atomic>(order.scope, address, site);
    // How the device loops is not known of these.
    if (machine.lane && !within_thread && in_shared(address))
      note_form(std::min(form_of(operation, operand), AtomicForm::plain));
  }
  if (!machine.lane) return update_on_host<Bits>(operation, pointer, operand, compare);
  Bits old;
  std::memcpy(&old, pointer, sizeof old);
  const Bits result = apply(operation, old, operand, compare);
  std::memcpy(pointer, &result, sizeof result);
  if (within_thread) return old;
  const bool fails = operation == simt_atomic_compare_exchange && old != compare;
  const int learns = fails ? order.failure : order.success;
  if (operation != simt_atomic_store) {
    if (learns == __ATOMIC_RELAXED || learns == __ATOMIC_RELEASE)
      acquire_at_next_fence(address);
    else
      acquire_from(address);
  }
  if (is_write(operation, old, operand, compare)) release_to(address);
  if (is_poll(operation, old, operand, compare)) note_poll(site, address, old, sizeof old);
  return old;
}

/// C++ atomics that release bring the fence with them.
template <class Bits>
[[gnu::always_inline]] inline Bits ordered_update(int order, int operation, void* pointer, Bits operand,
                                                  Bits compare, std::uintptr_t site) {
  if (machine.lane && order >= __ATOMIC_RELEASE) pass_fence(false);
  return update<Bits>(operation, pointer, operand, compare, site);
}

} // namespace

extern "C" {

std::uint16_t __simt_atomic16(int operation, void* address, std::uint16_t operand, std::uint16_t compare) {
  return update<std::uint16_t>(operation, address, operand, compare, SIMT_SITE);
}
std::uint32_t __simt_atomic32(int operation, void* address, std::uint32_t operand, std::uint32_t compare) {
  return update<std::uint32_t>(operation, address, operand, compare, SIMT_SITE);
}
std::uint64_t __simt_atomic64(int operation, void* address, std::uint64_t operand, std::uint64_t compare) {
  return update<std::uint64_t>(operation, address, operand, compare, SIMT_SITE);
}

#define SIMT_EXPECTED(bytes, Bits)                                                                           \
  Bits __simt_expected##bytes(const void* pointer) {                                                         \
    access_memory<bytes, Access::read, false, mark_expected>(reinterpret_cast<std::uintptr_t>(pointer),      \
                                                             SIMT_SITE);                                     \
    Bits value;                                                                                              \
    std::memcpy(&value, pointer, sizeof value);                                                              \
    return value;                                                                                            \
  }
SIMT_EXPECTED(2, std::uint16_t)
SIMT_EXPECTED(4, std::uint32_t)
SIMT_EXPECTED(8, std::uint64_t)

#define SIMT_ORDERED(bits)                                                                                   \
  std::uint##bits##_t __simt_ordered##bits(int operation, void* address, std::uint##bits##_t operand,        \
                                           std::uint##bits##_t compare, int order) {                         \
    return ordered<std::uint##bits##_t>(operation, address, operand, compare, order, SIMT_SITE);             \
  }
SIMT_ORDERED(8)
SIMT_ORDERED(16)
SIMT_ORDERED(32)
SIMT_ORDERED(64)

void __simt_atomic_add_float4(void* address, const float* operand, float* old) {
  if (machine.lane) machine.exchanging = false;
  access_memory<16, Access::atomic>(reinterpret_cast<std::uintptr_t>(address), SIMT_SITE);
  std::memcpy(old, address, 16);
  float sum[4];
  for (int i = 0; i < 4; ++i) sum[i] = old[i] + operand[i];
  std::memcpy(address, sum, 16);
}

// C++ atomics (std::atomic_ref, __atomic builtins) in instrumented code.
#define SIMT_CPP_ATOMIC(bits, T)                                                                             \
  T __tsan_atomic##bits##_load(const volatile T* a, int) {                                                   \
    return update<T>(simt_atomic_load, const_cast<T*>(a), 0, 0, SIMT_SITE);                                  \
  }                                                                                                          \
  void __tsan_atomic##bits##_store(volatile T* a, T v, int order) {                                          \
    ordered_update<T>(order, simt_atomic_exchange, const_cast<T*>(a), v, 0, SIMT_SITE);                      \
  }                                                                                                          \
  T __tsan_atomic##bits##_exchange(volatile T* a, T v, int order) {                                          \
    return ordered_update<T>(order, simt_atomic_exchange, const_cast<T*>(a), v, 0, SIMT_SITE);               \
  }                                                                                                          \
  T __tsan_atomic##bits##_fetch_add(volatile T* a, T v, int order) {                                         \
    return ordered_update<T>(order, simt_atomic_add, const_cast<T*>(a), v, 0, SIMT_SITE);                    \
  }                                                                                                          \
  T __tsan_atomic##bits##_fetch_sub(volatile T* a, T v, int order) {                                         \
    return ordered_update<T>(order, simt_atomic_add, const_cast<T*>(a), static_cast<T>(T(0) - v), 0,         \
                             SIMT_SITE);                                                                     \
  }                                                                                                          \
  T __tsan_atomic##bits##_fetch_and(volatile T* a, T v, int order) {                                         \
    return ordered_update<T>(order, simt_atomic_and, const_cast<T*>(a), v, 0, SIMT_SITE);                    \
  }                                                                                                          \
  T __tsan_atomic##bits##_fetch_or(volatile T* a, T v, int order) {                                          \
    return ordered_update<T>(order, simt_atomic_or, const_cast<T*>(a), v, 0, SIMT_SITE);                     \
  }                                                                                                          \
  T __tsan_atomic##bits##_fetch_xor(volatile T* a, T v, int order) {                                         \
    return ordered_update<T>(order, simt_atomic_xor, const_cast<T*>(a), v, 0, SIMT_SITE);                    \
  }                                                                                                          \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T c, T v, int order, int) {                    \
    return ordered_update<T>(order, simt_atomic_compare_exchange, const_cast<T*>(a), v, c, SIMT_SITE);       \
  }                                                                                                          \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* c, T v, int order, int) {              \
    T old = ordered_update<T>(order, simt_atomic_compare_exchange, const_cast<T*>(a), v, *c, SIMT_SITE);     \
    bool equal = old == *c;                                                                                  \
    *c = old;                                                                                                \
    return equal;                                                                                            \
  }                                                                                                          \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* c, T v, int order, int) {                \
    T old = ordered_update<T>(order, simt_atomic_compare_exchange, const_cast<T*>(a), v, *c, SIMT_SITE);     \
    bool equal = old == *c;                                                                                  \
    *c = old;                                                                                                \
    return equal;                                                                                            \
  }
SIMT_CPP_ATOMIC(8, std::uint8_t)
SIMT_CPP_ATOMIC(16, std::uint16_t)
SIMT_CPP_ATOMIC(32, std::uint32_t)
SIMT_CPP_ATOMIC(64, std::uint64_t)

void __tsan_atomic_thread_fence(int order) {
  if (machine.lane && order >= __ATOMIC_RELEASE) pass_fence(false);
}
void __tsan_atomic_signal_fence(int) {}

} // extern "C"
