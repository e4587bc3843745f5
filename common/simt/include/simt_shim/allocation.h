// Allocations with the names that the source gives them. The pre-pass puts the name in front of the arguments
// and takes a cast to void** off the pointer, whose type tells the elements' size.
#ifndef SIMT_INCLUDE_SIMT_SHIM_ALLOCATION_H
#define SIMT_INCLUDE_SIMT_SHIM_ALLOCATION_H

#include "cuda_runtime_api.h"
#include "simt_shim/entry_points.h"
#include "simt_shim/known_size.h"

#include <type_traits>

namespace simt {

/// What a pointer is called where it is allocated; `Cast` if the source casts its address to void**.
template <bool Cast>
struct AllocationName {
  const char* text;
};

namespace detail {

/// What the arguments of a call are called whose function allocates for its caller, by their number.
inline constexpr unsigned most_passed_names = 8;
inline thread_local const char* passed_names[most_passed_names] = {};

} // namespace detail

/// Stands around such an argument.
template <unsigned Number, class Argument>
[[gnu::always_inline]] inline Argument&& passed(const char* name, Argument&& argument) {
  detail::passed_names[Number] = name;
  return static_cast<Argument&&>(argument);
}
/// In that function: what its caller calls what the function calls `name`.
[[gnu::always_inline]] inline const char* name_of_passed(unsigned number, const char* name) {
  const char*& passed = detail::passed_names[number];
  const char* const found = passed ? passed : name;
  passed = nullptr;
  return found;
}

/// Stands around a call of the API that is a statement.
[[gnu::always_inline]] inline cudaError_t unheard(const char* function, cudaError_t error) {
  if (error != cudaSuccess) __simt_unheard(function, error);
  return error;
}

namespace detail {

template <class Pointer>
constexpr std::size_t pointed_size() {
  return size_if_known<std::remove_pointer_t<std::decay_t<Pointer>>>(0);
}

/// Whether a copy between such arrays is none of numbers: one of the types has a fraction, and they are not as large.
template <class To, class From>
constexpr bool differ() {
  using T = std::remove_pointer_t<std::decay_t<To>>;
  using F = std::remove_pointer_t<std::decay_t<From>>;
  if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<F>)
    return sizeof(T) != sizeof(F) && sizeof(T) > 1 && sizeof(F) > 1 &&
           (std::is_floating_point_v<T> || std::is_floating_point_v<F>);
  return false;
}

} // namespace detail

/// The copies whose arguments' types are looked at.
namespace typed {

template <class To, class From>
[[gnu::always_inline]] inline cudaError_t cudaMemcpy(To&& to, From&& from, std::size_t bytes,
                                                     cudaMemcpyKind kind) {
  const cudaError_t error = ::cudaMemcpy(to, from, bytes, kind);
  if constexpr (detail::differ<To, From>())
    if (error == cudaSuccess)
      __simt_copied_types("cudaMemcpy", detail::pointed_size<To>(), detail::pointed_size<From>());
  return error;
}
template <class To, class From>
[[gnu::always_inline]] inline cudaError_t
cudaMemcpyAsync(To&& to, From&& from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  const cudaError_t error = ::cudaMemcpyAsync(to, from, bytes, kind, stream);
  if constexpr (detail::differ<To, From>())
    if (error == cudaSuccess)
      __simt_copied_types("cudaMemcpyAsync", detail::pointed_size<To>(), detail::pointed_size<From>());
  return error;
}

} // namespace typed

namespace detail {

template <class Pointer>
constexpr std::size_t element_size() {
  return size_if_known<std::remove_pointer_t<std::remove_pointer_t<std::decay_t<Pointer>>>>(0);
}

/// The address of a pointer as the API wants it.
template <bool Cast, class Pointer>
void** address_of(Pointer pointer) {
  static_assert(Cast || std::is_null_pointer_v<Pointer> || std::is_pointer_v<std::remove_pointer_t<Pointer>>,
                "the first argument is the address of a pointer, as in cudaMalloc(&pointer, bytes)");
  return (void**)pointer;
}

template <class Pointer, bool Cast>
cudaError_t named(cudaError_t error, AllocationName<Cast> name, Pointer pointer) {
  if (error == cudaSuccess && pointer)
    __simt_name_allocation(*address_of<Cast>(pointer), name.text, element_size<Pointer>());
  return error;
}

// An array is called what the handle is called. There is no cast: its type is the API's own.
template <bool Cast>
[[gnu::always_inline]] inline cudaError_t named_array(cudaError_t error, AllocationName<Cast> name,
                                                      cudaArray_t* array) {
  if (error == cudaSuccess) __simt_name_array(*array, name.text);
  return error;
}

} // namespace detail
} // namespace simt

template <bool Cast, class P>
[[gnu::always_inline]] inline cudaError_t cudaMalloc(simt::AllocationName<Cast> name, P pointer, size_t bytes) {
  return simt::detail::named(cudaMalloc(simt::detail::address_of<Cast>(pointer), bytes), name, pointer);
}
template <bool Cast, class P>
[[gnu::always_inline]] inline cudaError_t cudaMallocManaged(simt::AllocationName<Cast> name, P pointer, size_t bytes,
                                                           unsigned flags = cudaMemAttachGlobal) {
  return simt::detail::named(cudaMallocManaged(simt::detail::address_of<Cast>(pointer), bytes, flags), name, pointer);
}
template <bool Cast, class P>
[[gnu::always_inline]] inline cudaError_t cudaMallocAsync(simt::AllocationName<Cast> name, P pointer, size_t bytes,
                                                         cudaStream_t stream) {
  return simt::detail::named(cudaMallocAsync(simt::detail::address_of<Cast>(pointer), bytes, stream), name, pointer);
}
template <bool Cast, class P>
[[gnu::always_inline]] inline cudaError_t cudaMallocAsync(simt::AllocationName<Cast> name, P pointer, size_t bytes,
                                                         cudaMemPool_t pool, cudaStream_t stream) {
  return simt::detail::named(cudaMallocFromPoolAsync(simt::detail::address_of<Cast>(pointer), bytes, pool, stream),
                             name, pointer);
}
template <bool Cast, class P>
[[gnu::always_inline]] inline cudaError_t cudaMallocPitch(simt::AllocationName<Cast> name, P pointer, size_t* pitch,
                                                         size_t width, size_t height) {
  return simt::detail::named(cudaMallocPitch(simt::detail::address_of<Cast>(pointer), pitch, width, height), name,
                             pointer);
}
template <bool Cast, class P>
[[gnu::always_inline]] inline cudaError_t cudaMallocHost(simt::AllocationName<Cast> name, P pointer, size_t bytes,
                                                        unsigned = 0) {
  return simt::detail::named(cudaMallocHost(simt::detail::address_of<Cast>(pointer), bytes), name, pointer);
}
template <bool Cast, class P>
[[gnu::always_inline]] inline cudaError_t cudaHostAlloc(simt::AllocationName<Cast> name, P pointer, size_t bytes,
                                                       unsigned flags) {
  return simt::detail::named(cudaHostAlloc(simt::detail::address_of<Cast>(pointer), bytes, flags), name, pointer);
}

template <bool Cast>
[[gnu::always_inline]] inline cudaError_t cudaMallocArray(simt::AllocationName<Cast> name, cudaArray_t* array,
                                                          const cudaChannelFormatDesc* desc, size_t width,
                                                          size_t height = 0, unsigned flags = 0) {
  return simt::detail::named_array(cudaMallocArray(array, desc, width, height, flags), name, array);
}
template <bool Cast>
[[gnu::always_inline]] inline cudaError_t cudaMalloc3DArray(simt::AllocationName<Cast> name, cudaArray_t* array,
                                                            const cudaChannelFormatDesc* desc, cudaExtent extent,
                                                            unsigned flags = 0) {
  return simt::detail::named_array(cudaMalloc3DArray(array, desc, extent, flags), name, array);
}

#endif
