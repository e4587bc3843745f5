// Rules of CUDA C++ about types, which only the compiler can check: the pre-pass asks for them in static_asserts.
#ifndef SIMT_INCLUDE_SIMT_SHIM_RULES_H
#define SIMT_INCLUDE_SIMT_SHIM_RULES_H

#include "type_names.h"

#include <initializer_list>
#include <type_traits>
#include <utility>

namespace simt {

namespace detail {

/// Whether the class's own default constructor, or destructor, has been found to do something.
template <class T, class = void>
struct HasFilledConstructor : std::false_type {};
template <class T>
struct HasFilledConstructor<T, std::void_t<typename T::simt_filled_constructor>>
    : std::is_same<T, typename T::simt_filled_constructor> {};
template <class T, class = void>
struct HasFilledDestructor : std::false_type {};
template <class T>
struct HasFilledDestructor<T, std::void_t<typename T::simt_filled_destructor>>
    : std::is_same<T, typename T::simt_filled_destructor> {};

template <class T>
struct IsInitializerList : std::false_type {};
template <class T>
struct IsInitializerList<std::initializer_list<T>> : std::true_type {};

using VaList =
    decltype(+std::declval<__builtin_va_list&>()); ///< as a parameter, for which an array is a pointer

template <class T>
using Element = std::remove_cv_t<std::remove_all_extents_t<std::remove_reference_t<T>>>;

} // namespace detail

/// Whether a variable of type T in device memory needs no code that runs before the program's first kernel.
template <class T>
inline constexpr bool needs_no_constructor =
    !detail::HasFilledConstructor<detail::Element<T>>::value && !std::is_polymorphic_v<detail::Element<T>>;
template <class T>
inline constexpr bool needs_no_destructor = !detail::HasFilledDestructor<detail::Element<T>>::value;

/// Whether nvcc can make the host's copy of a variable in device memory, for which it calls the default constructor.
template <class T>
inline constexpr bool has_default_constructor =
    std::is_reference_v<T> || std::is_const_v<std::remove_all_extents_t<T>> ||
    std::is_default_constructible_v<detail::Element<T>>;

/// The result of a function of the C library, which g++ and clang++ compute themselves, and nvcc does not.
template <class T>
T computed_at_run_time(T value) {
  return value;
}

/// What is no parameter of a kernel.
template <class T>
inline constexpr bool is_parameter =
    !std::is_rvalue_reference_v<T> && !detail::IsInitializerList<detail::Element<T>>::value &&
    !std::is_same_v<std::remove_cv_t<T>, detail::VaList>;

/// Whether a lambda for the device may capture an array of type T, whose copy nvcc makes of elements that exist already.
template <class T>
inline constexpr bool is_array_to_capture =
    std::rank_v<std::remove_reference_t<T>> <= 7 && std::is_default_constructible_v<detail::Element<T>>;

/// Whether a parameter may have __grid_constant__.
template <class T>
inline constexpr bool is_read_only = std::is_const_v<T>;

/// The result of a kernel.
template <class T>
inline constexpr bool is_nothing = std::is_void_v<T>;

/// The type of a function, and that of a kernel, that the program has a name for.
template <class T>
inline constexpr bool is_function = std::is_function_v<T>;
template <class T>
inline constexpr bool is_type_of_kernel = false;
template <class... Parameters>
inline constexpr bool is_type_of_kernel<void(Parameters...)> = true;

/// What classes say of their virtual functions: the pre-pass adds to each class `simt_bases`, and an overload of the static
/// function `simt_virtual` for each virtual function, with its name and parameters and a result that tells its side.
template <int>
struct RunsOn {}; ///< 1 the host, 2 the device, 3 both
template <unsigned long long Name, unsigned Qualifiers>
struct Named {};
template <class...>
struct Bases {};

namespace detail {

template <class Class, class = void>
struct BasesOf {
  static constexpr bool known =
      false; ///< whether it is a class of the program that has bases or virtual functions
  using type = Bases<>;
};
template <class Class>
struct BasesOf<Class, std::void_t<typename Class::simt_bases>> {
  static constexpr bool known = true;
  using type = typename Class::simt_bases;
};

/// Whether the class has such a function itself, or inherits it.
template <class Class, class Function, class = void>
struct HasVirtual : std::false_type {};
template <class Class, class Function>
struct HasVirtual<Class, Function, std::void_t<decltype(static_cast<Function*>(&Class::simt_virtual))>>
    : std::true_type {};

template <class List, class Side, class Function>
struct Overridden;
template <class... Classes, class Side, class... Parameters>
struct Overridden<Bases<Classes...>, Side, void(Parameters...)> {
  static constexpr bool value =
      ((HasVirtual<Classes, Side(Parameters...)>::value ||
        Overridden<typename BasesOf<Classes>::type, Side, void(Parameters...)>::value) ||
       ...);
  /// Whether a virtual function of a class that says nothing, such as one of the library, may be overridden.
  static constexpr bool unknown =
      (((!BasesOf<Classes>::known && std::has_virtual_destructor_v<Classes>) ||
        Overridden<typename BasesOf<Classes>::type, Side, void(Parameters...)>::unknown) ||
       ...);
};

} // namespace detail

/// Whether a function of a class with these bases overrides one of that side. If no class of the program has such a function,
/// and one may be of the library (MayBeOfLibrary), it is the library's, and of the host.
template <class Side, bool MayBeOfLibrary, class List, class Function>
struct Overrides {
  static constexpr bool value = detail::Overridden<List, Side, Function>::value ||
                                (MayBeOfLibrary && detail::Overridden<List, Side, Function>::unknown &&
                                 !detail::Overridden<List, RunsOn<2>, Function>::value &&
                                 !detail::Overridden<List, RunsOn<3>, Function>::value);
}; // no variable: g++ looks at those of a class template in its instances only

/// The bytes of a kernel's parameters, each aligned as its type asks for.
template <class... Parameters>
constexpr unsigned long parameter_bytes() {
  unsigned long bytes = 0;
  const auto add = [&](unsigned long size, unsigned long alignment) {
    bytes = (bytes + alignment - 1) / alignment * alignment + size;
  };
  (add(sizeof(std::conditional_t<std::is_reference_v<Parameters>, void*, Parameters>),
       alignof(std::conditional_t<std::is_reference_v<Parameters>, void*, Parameters>)),
   ...);
  return bytes;
}

} // namespace simt

#endif
