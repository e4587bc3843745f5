// cooperative_groups::memcpy_async: the threads of a group copy together, in the background.
//
// The copy happens as late as the program allows, when its threads wait for it: what is read before that is
// found as uninitialised, or racing, or has its old value.
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include "cooperative_groups.h"

namespace cooperative_groups {

/// A size in bytes that is known to be a multiple of `Alignment`, as the addresses are.
template <std::size_t Alignment>
struct aligned_size_t {
  std::size_t size;
  SIMT_INLINE explicit constexpr aligned_size_t(std::size_t bytes) : size(bytes) {}
  SIMT_INLINE constexpr operator std::size_t() const { return size; }
};

namespace detail {

template <class Group>
SIMT_INLINE void copy_together(const Group& group, void* to, const void* from, std::size_t bytes) {
  unsigned long low = reinterpret_cast<unsigned long>(to) | reinterpret_cast<unsigned long>(from) | bytes;
  std::size_t chunk = low % 16 == 0 ? 16 : low % 8 == 0 ? 8 : low % 4 == 0 ? 4 : 1;
  for (std::size_t at = group.thread_rank() * chunk; at < bytes; at += group.size() * chunk)
    __simt_copy_async(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
                      static_cast<unsigned>(chunk));
  __simt_copy_commit();
}

} // namespace detail

template <class Group>
SIMT_INLINE void memcpy_async(const Group& group, void* to, const void* from, std::size_t bytes) {
  detail::copy_together(group, to, from, bytes);
}
/// Copies as many elements as both sides have room for.
template <class Group, class To, class From>
SIMT_INLINE void memcpy_async(const Group& group, To* to, std::size_t to_elements, const From* from,
                              std::size_t from_elements) {
  static_assert(sizeof(To) == sizeof(From), "both sides have elements of the same size");
  detail::copy_together(group, to, from,
                        (to_elements < from_elements ? to_elements : from_elements) * sizeof(To));
}

/// Waits for all copies of the group but its latest `Stages`, and for its threads.
template <unsigned Stages, class Group>
SIMT_INLINE void wait_prior(const Group& group, SIMT_CALLER) {
  __simt_copy_wait(Stages);
  group.sync(simt_file, simt_line);
}
template <class Group>
SIMT_INLINE void wait(const Group& group, SIMT_CALLER) {
  __simt_copy_wait(0);
  group.sync(simt_file, simt_line);
}

} // namespace cooperative_groups

#endif
