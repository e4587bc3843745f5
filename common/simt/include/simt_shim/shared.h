// Shared memory: where the pre-pass's `shared_variable` and `dynamic_shared` lead.
#ifndef SIMT_INCLUDE_SIMT_SHIM_SHARED_H
#define SIMT_INCLUDE_SIMT_SHIM_SHARED_H

#include "simt_shim/entry_points.h"
#include "simt_shim/known_size.h"

#include <type_traits>

namespace simt {

namespace detail {

template <class T>
constexpr simt_shared_type shared_type_of(std::size_t alignment) {
  using Element = std::remove_all_extents_t<T>;
  simt_shared_type type{0,
                        alignment,
                        sizeof(Element),
                        alignment_of_class<Element>(0),
                        static_cast<unsigned>(std::rank_v<T>),
                        {0, 0, 0, 0}};
  if constexpr (std::rank_v<T> >= 1) type.extents[0] = std::extent_v<T, 0>;
  if constexpr (std::rank_v<T> >= 2) type.extents[1] = std::extent_v<T, 1>;
  if constexpr (std::rank_v<T> >= 3) type.extents[2] = std::extent_v<T, 2>;
  if constexpr (std::rank_v<T> >= 4) type.extents[3] = std::extent_v<T, 3>;
  if constexpr (std::rank_v<T> == 0 || std::extent_v<T> != 0) // an array of unknown bound has no size
    type.size = sizeof(T);
  return type;
}

/// One object per type: its address tells instantiations of one declaration apart.
template <class T, std::size_t Alignment = alignof(T)>
inline constexpr simt_shared_type shared_type = shared_type_of<T>(Alignment);

} // namespace detail

/// The calling block's variable of this declaration.
template <class T, std::size_t Alignment = alignof(T)>
[[gnu::always_inline]] inline T& shared_variable(const char* name, const char* file, int line) {
  return *static_cast<T*>(__simt_shared_variable(name, file, line, &detail::shared_type<T, Alignment>));
}

/// The calling block's dynamic shared memory; every extern declaration starts at the same address.
template <class T>
[[gnu::always_inline]] inline T& dynamic_shared(const char* name) {
  return *static_cast<T*>(__simt_dynamic_shared(name, &detail::shared_type<T>));
}

/// A variable of a kernel that was initialised with an address in dynamic shared memory, or with anything else.
template <class T>
[[gnu::always_inline]] inline void name_shared(T* pointer, const char* name) {
  if constexpr (!std::is_void_v<T> && !std::is_function_v<T>)
    __simt_name_shared(const_cast<const std::remove_volatile_t<T>*>(pointer), name, sizeof(T));
}
template <class T>
[[gnu::always_inline]] inline void name_shared(const T&, const char*) {}

/// An element of one of a kernel's arrays in dynamic shared memory, in whatever way it is used.
template <simt_use_of_element Use, class T>
[[gnu::always_inline]] inline T&& by_name(T&& element, unsigned array, const char* name) {
  using Element = std::remove_reference_t<T>;
  __simt_use_by_name(const_cast<const void*>(static_cast<const volatile void*>(__builtin_addressof(element))),
                     sizeof(Element), array, name, std::is_array_v<Element> ? simt_use_unknown : Use);
  return static_cast<T&&>(element);
}

/// Makes the elements of a __device__ or __constant__ variable known when the module is loaded.
struct VariableShape {
  template <class T>
  explicit VariableShape(const volatile T& variable, bool is_constant = false) {
    __simt_describe_variable(const_cast<const T*>(&variable), &detail::shared_type<T>);
    if (is_constant) __simt_constant_on_both_sides(const_cast<const T*>(&variable), sizeof variable);
  }
};

/// Makes an instance of a variable template known as a variable in device memory, before main() begins.
template <class T>
void register_instance(int kind, const volatile T& variable, bool is_constant = false) {
  const T* const begin = const_cast<const T*>(&variable);
  __simt_register_section(kind, begin, begin + 1);
  VariableShape(variable, is_constant);
}
/// Of such an instance: a page, like each section. Whoever asks for it makes the object exist whose address it is given.
template <auto*>
inline constexpr unsigned long alignment_of_instance = 4096;

} // namespace simt

#endif
