// libcu++'s barriers as the simulator provides them, written for it: cuda::barrier, cuda::latch, semaphores, and
// cuda::memcpy_async into a barrier. The threads that wait are known to the scheduler, and what arrivals order to the race
// check (common/simt/runtime/schedule/phase_barrier.hpp).
#ifndef SIMT_INCLUDE_SIMT_SHIM_CPP_BARRIERS_H
#define SIMT_INCLUDE_SIMT_SHIM_CPP_BARRIERS_H

#include "simt_shim/cpp_atomics.h"

#include <chrono>
#include <type_traits>
#include <utility>

namespace cuda {

/// A size in bytes of which is known that `Alignment` divides it, and the addresses too.
template <::std::size_t Alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  SIMT_INLINE explicit constexpr aligned_size_t(::std::size_t size) : value(size) {}
  SIMT_INLINE constexpr operator ::std::size_t() const { return value; }
};

namespace std {

/// What a barrier does at the end of a phase that has no function for it.
struct __empty_completion {
  SIMT_INLINE void operator()() const {}
};

} // namespace std

/// Phases of which each ends when as many arrivals have come as init() says.
template <thread_scope Scope, class Completion = std::__empty_completion>
class barrier {
  static constexpr bool has_completion = !::std::is_same_v<Completion, std::__empty_completion>;

public:
  using arrival_token = unsigned long;

  barrier() = default;
  SIMT_INLINE explicit barrier(::std::ptrdiff_t expected, Completion completion = Completion())
      : completion_(::std::move(completion)) {
    __simt_barrier_init(&state_, expected);
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  SIMT_INLINE friend void init(barrier* object, ::std::ptrdiff_t expected) {
    __simt_barrier_init(&object->state_, expected);
  }
  SIMT_INLINE friend void init(barrier* object, ::std::ptrdiff_t expected, Completion completion) {
    object->completion_ = ::std::move(completion);
    __simt_barrier_init(&object->state_, expected);
  }

  [[nodiscard]] SIMT_INLINE arrival_token arrive(::std::ptrdiff_t count = 1) {
    return arrive(count, simt_arrive_plain, 0);
  }
  SIMT_INLINE void wait(arrival_token&& token, SIMT_CALLER) const {
    __simt_barrier_wait(&state_, token, false, false, simt_file, simt_line);
  }
  SIMT_INLINE void wait_parity(bool parity, SIMT_CALLER) const {
    __simt_barrier_wait(&state_, parity, true, false, simt_file, simt_line);
  }
  SIMT_INLINE void arrive_and_wait(SIMT_CALLER) { wait(arrive(), simt_file, simt_line); }
  SIMT_INLINE void arrive_and_drop() { (void)arrive(1, simt_arrive_drop, 0); }

  template <class Duration>
  [[nodiscard]] SIMT_INLINE bool try_wait_for(arrival_token&& token, const Duration&, SIMT_CALLER) const {
    return __simt_barrier_wait(&state_, token, false, true, simt_file, simt_line);
  }
  template <class Time>
  [[nodiscard]] SIMT_INLINE bool try_wait_until(arrival_token&& token, const Time&, SIMT_CALLER) const {
    return __simt_barrier_wait(&state_, token, false, true, simt_file, simt_line);
  }
  template <class Duration>
  [[nodiscard]] SIMT_INLINE bool try_wait_parity_for(bool parity, const Duration&, SIMT_CALLER) const {
    return __simt_barrier_wait(&state_, parity, true, true, simt_file, simt_line);
  }

  template <class Time>
  [[nodiscard]] SIMT_INLINE bool try_wait_parity_until(bool parity, const Time&, SIMT_CALLER) const {
    return __simt_barrier_wait(&state_, parity, true, true, simt_file, simt_line);
  }

  static constexpr ::std::ptrdiff_t max() noexcept { return (1 << 20) - 1; }

  /// Where the state lies, and an arrival with bytes to be copied. (Not part of libcu++'s interface.)
  SIMT_INLINE void* simt_state() const { return &state_; }
  SIMT_INLINE arrival_token arrive(::std::ptrdiff_t count, int what, long bytes) {
    if constexpr (!has_completion) {
      return __simt_barrier_arrive(&state_, count, what, bytes, Scope);
    } else {
      const arrival_token token =
          __simt_barrier_arrive(&state_, count, what | simt_arrive_hold, bytes, Scope);
      if (token & simt_phase_held) {
        completion_();
        __simt_barrier_complete(&state_);
      }
      return token;
    }
  }

private:
  alignas(8) mutable unsigned long state_;
  [[no_unique_address]] Completion completion_;
};

namespace device {

/// The 8 bytes of a barrier of a block.
SIMT_INLINE ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block>& object) {
  return static_cast<::std::uint64_t*>(object.simt_state());
}

/// An arrival by which the phase also waits for so many bytes that cuda::device::memcpy_async_tx copies.
[[nodiscard]] SIMT_INLINE barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block>& object, ::std::ptrdiff_t count, ::std::ptrdiff_t) {
  return object.arrive(count);
}
SIMT_INLINE void barrier_expect_tx(barrier<thread_scope_block>&, ::std::ptrdiff_t) {}

} // namespace device

/// How memcpy_async makes a copy. The simulator makes all of them in the background.
enum class async_contract_fulfillment { none, async };
} // namespace cuda

namespace simt::detail {

/// The accesses of one thread of a group that copies `bytes` together; `copy` makes each.
template <class Copy>
SIMT_INLINE void copy_share(void* to, const void* from, std::size_t bytes, std::size_t rank,
                            std::size_t threads, Copy copy) {
  const unsigned long low =
      reinterpret_cast<unsigned long>(to) | reinterpret_cast<unsigned long>(from) | bytes;
  const std::size_t chunk = low % 16 == 0 ? 16 : low % 8 == 0 ? 8 : low % 4 == 0 ? 4 : 1;
  for (std::size_t at = rank * chunk; at < bytes; at += threads * chunk)
    copy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, static_cast<unsigned>(chunk));
}

/// The group of a thread that copies alone.
struct SingleThread {
  SIMT_INLINE static unsigned thread_rank() { return 0; }
  SIMT_INLINE static unsigned size() { return 1; }
};

template <class Group>
SIMT_INLINE ::cuda::async_contract_fulfillment copy_for(const Group& group, void* to, const void* from,
                                                        std::size_t bytes, void* barrier) {
  copy_share(
      to, from, bytes, group.thread_rank(), group.size(),
      [barrier](void* own_to, const void* own_from, unsigned size)
          __attribute__((always_inline)) { __simt_copy_async_for(barrier, own_to, own_from, size); });
  return ::cuda::async_contract_fulfillment::async;
}

} // namespace simt::detail

namespace cuda {

template <class Group, class T, class Size, thread_scope Scope, class Completion>
SIMT_INLINE async_contract_fulfillment memcpy_async(const Group& group, T* to, const T* from, Size size,
                                                    barrier<Scope, Completion>& object) {
  return ::simt::detail::copy_for(group, to, from, size, object.simt_state());
}
template <class Group, class Size, thread_scope Scope, class Completion>
SIMT_INLINE async_contract_fulfillment memcpy_async(const Group& group, void* to, const void* from, Size size,
                                                    barrier<Scope, Completion>& object) {
  return ::simt::detail::copy_for(group, to, from, size, object.simt_state());
}
template <class T, class Size, thread_scope Scope, class Completion>
SIMT_INLINE async_contract_fulfillment memcpy_async(T* to, const T* from, Size size,
                                                    barrier<Scope, Completion>& object) {
  return ::simt::detail::copy_for(::simt::detail::SingleThread(), to, from, size, object.simt_state());
}
template <class Size, thread_scope Scope, class Completion>
SIMT_INLINE async_contract_fulfillment memcpy_async(void* to, const void* from, Size size,
                                                    barrier<Scope, Completion>& object) {
  return ::simt::detail::copy_for(::simt::detail::SingleThread(), to, from, size, object.simt_state());
}

namespace device {

/// One thread has all of it copied; the phase of its next arrival (barrier_arrive_tx) finds the copy made.
template <class T, ::std::size_t Alignment>
SIMT_INLINE void memcpy_async_tx(T* to, const T* from, aligned_size_t<Alignment> size,
                                 barrier<thread_scope_block>& object) {
  static_assert(Alignment >= 16,
                "memcpy_async_tx copies multiples of 16 bytes: cuda::aligned_size_t<16>(size)");
  ::simt::detail::copy_for(::simt::detail::SingleThread(), to, from, size, object.simt_state());
}

} // namespace device

/// Counts down once; threads wait for 0.
template <thread_scope Scope>
class latch {
public:
  SIMT_INLINE explicit constexpr latch(::std::ptrdiff_t expected) : count_(expected) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;
  SIMT_INLINE void count_down(::std::ptrdiff_t by = 1) { count_.fetch_sub(by, memory_order_release); }
  [[nodiscard]] SIMT_INLINE bool try_wait() const { return count_.load(memory_order_acquire) == 0; }
  SIMT_INLINE void wait() const {
    while (count_.load(memory_order_acquire) != 0) {
    }
  }
  SIMT_INLINE void arrive_and_wait(::std::ptrdiff_t by = 1) {
    count_down(by);
    wait();
  }
  static constexpr ::std::ptrdiff_t max() noexcept { return __PTRDIFF_MAX__; }

private:
  atomic<::std::ptrdiff_t, Scope> count_;
};

/// As many threads may have acquired as it counts.
template <thread_scope Scope, ::std::ptrdiff_t Most = __INT_MAX__>
class counting_semaphore {
public:
  SIMT_INLINE explicit constexpr counting_semaphore(::std::ptrdiff_t count) : count_(count) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;
  SIMT_INLINE void release(::std::ptrdiff_t by = 1) { count_.fetch_add(by, memory_order_release); }
  SIMT_INLINE bool try_acquire() {
    ::std::ptrdiff_t count = count_.load(memory_order_relaxed);
    while (count > 0)
      if (count_.compare_exchange_weak(count, count - 1, memory_order_acquire, memory_order_relaxed))
        return true;
    return false;
  }
  SIMT_INLINE void acquire() {
    while (!try_acquire()) {
    }
  }
  template <class Duration>
  SIMT_INLINE bool try_acquire_for(const Duration&) {
    return try_acquire();
  }
  template <class Time>
  SIMT_INLINE bool try_acquire_until(const Time&) {
    return try_acquire();
  }
  static constexpr ::std::ptrdiff_t max() noexcept { return Most; }

private:
  atomic<::std::ptrdiff_t, Scope> count_;
};
template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {

template <class Completion = __empty_completion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
using latch = ::cuda::latch<thread_scope_system>;
template <::std::ptrdiff_t Most = __INT_MAX__>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = ::cuda::binary_semaphore<thread_scope_system>;

} // namespace std
} // namespace cuda

#endif
