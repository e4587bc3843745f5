// How large that is which a pointer or a reference leads to, as far as the source has told.
#ifndef SIMT_INCLUDE_SIMT_SHIM_KNOWN_SIZE_H
#define SIMT_INCLUDE_SIMT_SHIM_KNOWN_SIZE_H

#include <cstddef>
#include <type_traits>

namespace simt::detail {

/// 0 for void, for functions and for types that are not known yet.
template <class T, std::size_t = sizeof(T)>
constexpr std::size_t size_if_known(int) {
  return std::is_object_v<T> ? sizeof(T) : 0;
}
template <class T>
constexpr std::size_t size_if_known(long) {
  return 0;
}

/// The alignment of a class, a vector type among them; 0 of all else, of what is volatile, and of a class that is not known yet.
template <class T, std::size_t = sizeof(T)>
constexpr unsigned alignment_of_class(int) {
  return std::is_class_v<T> && !std::is_volatile_v<T> ? alignof(T) : 0;
}
template <class T>
constexpr unsigned alignment_of_class(long) {
  return 0;
}

} // namespace simt::detail

#endif
