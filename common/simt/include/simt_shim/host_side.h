// What host code has that is not the device's: addresses of functions and of variables.
#ifndef SIMT_INCLUDE_SIMT_SHIM_HOST_SIDE_H
#define SIMT_INCLUDE_SIMT_SHIM_HOST_SIDE_H

#include "simt_shim/entry_points.h"
#include "simt_shim/known_size.h"

#include <type_traits>

namespace simt {

namespace detail {

/// A function of the host's that does what `Function` does, and is called under another address. Of one with `...` there is none.
template <auto Function, class Type = decltype(Function)>
struct OnHost {
  static constexpr Type address = Function;
};
#define SIMT_ON_HOST(exception)                                                                              \
  template <auto Function, class Result, class... Parameters>                                                \
  struct OnHost<Function, Result (*)(Parameters...) exception> {                                             \
    [[gnu::noinline]] static constexpr Result call(Parameters... arguments) exception {                      \
      if (!__builtin_is_constant_evaluated())                                                                \
        __simt_called_on_host(__PRETTY_FUNCTION__, __builtin_return_address(0), true);                       \
      return Function(static_cast<Parameters&&>(arguments)...);                                              \
    }                                                                                                        \
    static constexpr auto address = &call;                                                                   \
  };
SIMT_ON_HOST()
SIMT_ON_HOST(noexcept)
#undef SIMT_ON_HOST

} // namespace detail

/// The function that host code has under the name of one that the device has at another address.
template <auto Function>
constexpr auto& host_address() {
  return *detail::OnHost<Function>::address;
}

/// Begins a function of the host alone.
[[gnu::always_inline]] inline void only_on_host(const char* name) {
  __simt_called_on_host(name, __builtin_return_address(0), false);
}

/// Begins a kernel with a parameter that may be a reference.
template <class Parameter, class Object>
void note_reference(const Object& object, const char* parameter) {
  if constexpr (std::is_lvalue_reference_v<Parameter>)
    __simt_note_reference(__builtin_addressof(object), detail::size_if_known<Object>(0), parameter);
}

/// Stands around a lambda for the device that may capture the `this` of the function around.
template <class Object, class Lambda>
Lambda capturing(const Object* object, Lambda lambda) {
  __simt_note_captured(object, sizeof(Object));
  return lambda;
}

/// A variable in device memory whose address host code uses by the variable's name.
template <class T>
T& host_symbol(T& variable, const char* name) {
  __simt_host_symbol(const_cast<const void*>(static_cast<const volatile void*>(&variable)), sizeof variable,
                     name);
  return variable;
}

} // namespace simt

#endif
