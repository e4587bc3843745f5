// Kernel launches: where the pre-pass's form of `kernel<<<...>>>(...)` leads, and what it registers about
// kernels.
#ifndef SIMT_INCLUDE_SIMT_SHIM_LAUNCH_H
#define SIMT_INCLUDE_SIMT_SHIM_LAUNCH_H

#include "driver_types.h"
#include "simt_shim/builtins.h"
#include "simt_shim/known_size.h"

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace simt {

using LaunchSite = simt_launch_site;

struct LaunchConfig : simt_launch_config {
  LaunchConfig(dim3 grid_, dim3 block_ = dim3(1), std::size_t shared_ = 0, cudaStream_t stream_ = nullptr) {
    grid = {grid_.x, grid_.y, grid_.z};
    block = {block_.x, block_.y, block_.z};
    shared_bytes = shared_;
    stream = stream_;
  }
};

namespace detail {

// The return of a thread that had stopped is one that the processor does not predict, because other threads' calls came between:
// one return less is quicker.
#if defined(__clang__)
#define SIMT_TAIL_CALLS
#else
#define SIMT_TAIL_CALLS __attribute__((optimize("optimize-sibling-calls")))
#endif

/// What the simulator does with a kernel call: a function object with its arguments, which each simulated thread copies
/// from there. It is a lambda, because a class of members that depend on a list of types takes compilers much longer. Given
/// somewhere to put them, it tells where its arguments lie instead of making the call.
template <class Call>
struct Closure {
  SIMT_TAIL_CALLS SIMT_UNINSTRUMENTED static void invoke(void* call) {
    (*static_cast<const Call*>(call))(nullptr);
  }
  static void copy(void* to, const void* from) { ::new (to) Call(*static_cast<const Call*>(from)); }
  static void destroy(void* call) { static_cast<Call*>(call)->~Call(); }
  static void addresses(const void* call, void** found) { (*static_cast<const Call*>(call))(found); }
};

template <class Call>
inline constexpr simt_closure_operations closure_operations = {
    sizeof(Call),         alignof(Call),           &Closure<Call>::invoke,
    &Closure<Call>::copy, &Closure<Call>::destroy, &Closure<Call>::addresses};

template <class Callable, class... Arguments>
SIMT_INLINE auto call_of(Callable callable, Arguments... arguments) {
  return [ callable, arguments... ](void** addresses) __attribute__((always_inline, no_sanitize("thread"))) {
    if (addresses)
      ((*addresses++ = const_cast<void*>((const void*)__builtin_addressof(arguments))), ...);
    else
      callable(arguments...);
  };
}

template <class T>
struct Bits;
template <class T>
inline constexpr bool are_bits = false;
template <class T>
inline constexpr bool are_bits<Bits<T>> = true;

/// What a child must not get: memory of its parent's block or of the launching thread.
template <class Argument>
void check_argument(const LaunchSite& site, const Argument& argument) {
  if constexpr (std::is_pointer_v<Argument> && !std::is_function_v<std::remove_pointer_t<Argument>>)
    __simt_check_child_pointer(&site, (const void*)argument);
  // Bytes between members have whatever was there before: an object is looked at if they can be cleared, or if it has none.
#if __has_builtin(__builtin_clear_padding)
#define SIMT_CLEAR_PADDING(pointer) __builtin_clear_padding(pointer)
  constexpr bool has_known_bytes = true;
#else
#define SIMT_CLEAR_PADDING(pointer)
  constexpr bool has_known_bytes = std::has_unique_object_representations_v<Argument>;
#endif
  if constexpr (std::is_class_v<Argument> && std::is_trivially_copyable_v<Argument> && has_known_bytes &&
                sizeof(Argument) >= sizeof(void*) && !are_bits<Argument>)
    if (__simt_in_kernel()) {
      alignas(Argument) unsigned char bytes[sizeof(Argument)];
      __builtin_memcpy(bytes, &reinterpret_cast<const unsigned char&>(argument), sizeof bytes);
      SIMT_CLEAR_PADDING(reinterpret_cast<Argument*>(bytes));
      __simt_check_child_object(&site, bytes, sizeof bytes);
    }
#undef SIMT_CLEAR_PADDING
}

/// The argument as messages tell it.
template <class Argument>
simt_argument described(const Argument& argument) {
  simt_argument told = {simt_other, 0, sizeof(Argument), alignof(Argument), 0, 0};
  if constexpr (std::is_pointer_v<Argument>) {
    using Object = std::remove_pointer_t<Argument>;
    told.kind = simt_pointer;
    told.bits = reinterpret_cast<unsigned long long>(argument);
    told.pointed = static_cast<unsigned>(size_if_known<Object>(0));
    told.aligned = alignment_of_class<Object>(0);
  } else if constexpr (std::is_integral_v<Argument>) {
    told.kind = std::is_signed_v<Argument> ? simt_signed : simt_unsigned;
    told.bits = static_cast<unsigned long long>(argument);
  } else if constexpr (std::is_floating_point_v<Argument>) {
    told.kind = simt_real;
    told.bits = __builtin_bit_cast(unsigned long long, static_cast<double>(argument));
  }
  return told;
}

/// An argument for a parameter that is a reference: the kernel gets the address of the object, which may lie where kernels
/// cannot read, as with a pointer.
template <class Object>
struct Referred {
  Object* object;
  Referred(Object& argument) : object(__builtin_addressof(argument)) {}
  operator Object&() const { return *object; }
};
template <class Parameter>
struct Held {
  using type = std::remove_cv_t<Parameter>;
};
template <class Object>
struct Held<Object&> {
  using type = Referred<Object>;
};

template <class Object>
simt_argument described(const Referred<Object>& argument) {
  return {simt_pointer, reinterpret_cast<unsigned long long>(argument.object), sizeof argument,
          alignof(Referred<Object>), 0, 0};
}

// A kernel's threads get the bits of its arguments, as on a device: the host copies an argument by its constructor into
// the call and destroys it behind the launch, and no thread does either. The ABI passes objects with such constructors by
// their addresses, so a thread hands on the address of bits of its own.

/// Whether calls pass a T by the address of a temporary object.
template <class T>
inline constexpr bool
    passed_by_address = std::is_class_v<T> &&
                        ((std::is_copy_constructible_v<T> && !std::is_trivially_copy_constructible_v<T>) ||
                         (std::is_move_constructible_v<T> && !std::is_trivially_move_constructible_v<T>) ||
                         !std::is_trivially_destructible_v<T>);

template <class T>
struct Bits {
  alignas(T) unsigned char bytes[sizeof(T)];
};

/// A parameter's argument in the call that the simulator keeps, and as what the kernel gets it.
template <class Parameter, bool IsByAddress = passed_by_address<std::remove_cv_t<Parameter>>>
struct Kept {
  using type = typename Held<Parameter>::type;
  using passed = Parameter;
  static const std::remove_reference_t<Parameter>& keep(const std::remove_reference_t<Parameter>& argument) {
    return argument;
  }
};
template <class Object>
struct Kept<Object&, false> {
  using type = typename Held<Object&>::type;
  using passed = Object&;
  static Object& keep(Object& argument) { return argument; }
};
template <class T>
struct Kept<T, true> {
  using type = Bits<std::remove_cv_t<T>>;
  using passed = void*;
  static type keep(const T& argument) {
    type bits;
    __builtin_memcpy(bits.bytes, &reinterpret_cast<const unsigned char&>(argument), sizeof(T));
    return bits;
  }
};

/// A kernel that gets some of its arguments as bits.
template <class... Parameters>
struct KernelOfBits {
  void (*kernel)(Parameters...);
  template <class T>
  SIMT_INLINE SIMT_UNINSTRUMENTED static void* hand_on(Bits<T>& bits) {
    return bits.bytes;
  }
  template <class T>
  SIMT_INLINE SIMT_UNINSTRUMENTED static T& hand_on(T& value) {
    return value;
  }
  SIMT_INLINE SIMT_UNINSTRUMENTED void operator()(typename Kept<Parameters>::type... arguments) const {
    using Function = void (*)(typename Kept<Parameters>::passed...);
    reinterpret_cast<Function>(reinterpret_cast<void*>(kernel))(hand_on(arguments)...);
  }
};

template <class Callable, class... Arguments>
cudaError_t launch_closure(const LaunchSite& site, const LaunchConfig& config, const void* kernel,
                           Callable callable, Arguments... arguments) {
  (check_argument(site, arguments), ...);
  auto call = call_of<Callable, Arguments...>(callable, arguments...);
  const simt_argument told[] = {described(arguments)..., {simt_other, 0, 0, 0, 0, 0}};
  return __simt_launch(&site, &config, kernel, &closure_operations<decltype(call)>, &call, told,
                       sizeof...(Arguments));
}

/// Launches a kernel whose address is known.
template <class... Parameters>
cudaError_t launch_function(const LaunchSite& site, const LaunchConfig& config, void (*kernel)(Parameters...),
                            typename Kept<Parameters>::type... arguments) {
  const void* address = reinterpret_cast<const void*>(kernel);
  if constexpr ((passed_by_address<std::remove_cv_t<Parameters>> || ...))
    return launch_closure<KernelOfBits<Parameters...>, typename Kept<Parameters>::type...>(
        site, config, address, {kernel}, arguments...);
  else
    return launch_closure<void (*)(Parameters...), typename Kept<Parameters>::type...>(site, config, address,
                                                                                       kernel, arguments...);
}

template <class... Parameters>
struct KernelLauncher {
  LaunchSite site;
  LaunchConfig config;
  void (*kernel)(Parameters...);
  void operator()(Parameters... arguments) const {
    constexpr bool refers_to_value = (std::is_rvalue_reference_v<Parameters> || ...);
    static_assert(!refers_to_value,
                  "a kernel's parameters cannot be references to values (&&); pass the value");
    if constexpr (!refers_to_value)
      launch_function<Parameters...>(site, config, kernel, Kept<Parameters>::keep(arguments)...);
  }
};

template <class Callable>
struct GenericLauncher {
  LaunchSite site;
  LaunchConfig config;
  Callable callable;
  template <class... Arguments>
  void operator()(const Arguments&... arguments) const {
    launch_closure<Callable, std::decay_t<Arguments>...>(site, config, nullptr, callable, arguments...);
  }
};

} // namespace detail

/// Launches a kernel whose address is known; arguments convert as for the kernel's own parameters.
template <class... Parameters>
detail::KernelLauncher<Parameters...> launch_kernel(LaunchSite site, LaunchConfig config,
                                                    void (*kernel)(Parameters...)) {
  return {site, config, kernel};
}

/// Launches a kernel template whose template arguments follow from the call's arguments.
template <class Callable>
detail::GenericLauncher<Callable> launch_generic(LaunchSite site, LaunchConfig config, Callable callable) {
  return {site, config, callable};
}

/// What __launch_bounds__ and __cluster_dims__ say about a kernel; zero means not given.
struct KernelAttributes {
  KernelAttributes(const void* kernel, int max_threads, int min_blocks, int cluster_x, int cluster_y,
                   int cluster_z) {
    __simt_register_kernel(kernel, max_threads, min_blocks, cluster_x, cluster_y, cluster_z);
  }
};

/// Which parameters of the kernels of a name are __restrict__.
struct RestrictedParameters {
  RestrictedParameters(const char* kernel, unsigned long long parameters) {
    __simt_note_restricted(kernel, parameters);
  }
};

namespace detail {

/// What calls a kernel: itself, unless it gets some of its arguments as bits.
template <class Kernel>
struct Callee;
template <class... Parameters>
struct Callee<void (*)(Parameters...)> {
  using type = std::conditional_t<(passed_by_address<std::remove_cv_t<Parameters>> || ...),
                                  KernelOfBits<Parameters...>, void (*)(Parameters...)>;
};

/// A kernel's parameter without a value.
template <class Parameter>
constexpr simt_argument described() {
  using P = Parameter;
  return {std::is_pointer_v<P>          ? simt_pointer
          : std::is_floating_point_v<P> ? simt_real
          : !std::is_integral_v<P>      ? simt_other
          : std::is_signed_v<P>         ? simt_signed
                                        : simt_unsigned,
          0, sizeof(P), alignof(P), 0, 0};
}

template <class Kernel, class... Arguments>
struct EntryOf {
  using Function = typename Callee<Kernel>::type;
  using Call =
      decltype(call_of<Function, Arguments...>(std::declval<Function>(), std::declval<Arguments>()...));
  template <std::size_t... I>
  static void construct(void* closure, Kernel kernel, void** arguments, simt_argument* told,
                        std::index_sequence<I...>) {
    ::new (closure)
        Call(call_of<Function, Arguments...>(Function{kernel}, *static_cast<Arguments*>(arguments[I])...));
    ((told[I] = described(*static_cast<const Arguments*>(arguments[I]))), ...);
  }
  static void make(void* closure, const void* kernel, void** arguments, simt_argument* told) {
    construct(closure, reinterpret_cast<Kernel>(const_cast<void*>(kernel)), arguments, told,
              std::index_sequence_for<Arguments...>{});
  }
  static void describe(simt_argument* told) {
    ((*told++ = described<Arguments>()), ...);
    static_cast<void>(told);
  }
};

} // namespace detail

/// What a kernel is called in the source, and how to call it; asked for where it is launched through a variable, or
/// used by its address.
struct KernelName {
  simt_kernel_entry entry{};
  template <class... Parameters>
  KernelName(void (*kernel)(Parameters...), const char* name) {
    const auto* address = reinterpret_cast<const void*>(kernel);
    __simt_name_kernel(address, name);
    using Entry = detail::EntryOf<void (*)(Parameters...), typename detail::Kept<Parameters>::type...>;
    entry = {address,
             name,
             &detail::closure_operations<typename Entry::Call>,
             sizeof...(Parameters),
             &Entry::make,
             &Entry::describe};
    __simt_register_entry(&entry);
  }
};
template <auto Kernel, const char* Name>
inline const KernelName registered_name{Kernel, Name};

/// The same as KernelAttributes for an instance of a kernel template, whose body refers to this and so makes
/// it exist.
template <auto Kernel, int MaxThreads, int MinBlocks, int ClusterX, int ClusterY, int ClusterZ>
inline const KernelAttributes registered_attributes{
    reinterpret_cast<const void*>(Kernel), MaxThreads, MinBlocks, ClusterX, ClusterY, ClusterZ};

} // namespace simt

// The linker defines these for sections whose names are identifiers; weak, because a module may have none.
extern "C" {
extern char __start_simt_device[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_device[] __attribute__((weak, visibility("hidden")));
extern char __start_simt_constant[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_constant[] __attribute__((weak, visibility("hidden")));
extern char __start_simt_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_managed[] __attribute__((weak, visibility("hidden")));
// Inline members have sections of their own, because g++ keeps them apart.
extern char __start_simt_device_inline[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_device_inline[] __attribute__((weak, visibility("hidden")));
extern char __start_simt_constant_inline[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_constant_inline[] __attribute__((weak, visibility("hidden")));
extern char __start_simt_managed_inline[] __attribute__((weak, visibility("hidden")));
extern char __stop_simt_managed_inline[] __attribute__((weak, visibility("hidden")));
}

namespace simt::detail {
namespace {

// These variables have pages of their own, and no bytes: beside them memory of the host may be closed.
#define SIMT_ON_A_PAGE [[gnu::used]] __attribute__((aligned(4096)))
SIMT_ON_A_PAGE __attribute__((section("simt_device"))) char first_device_page[0] = {};
SIMT_ON_A_PAGE __attribute__((section("simt_constant"))) char first_constant_page[0] = {};
SIMT_ON_A_PAGE __attribute__((section("simt_managed"))) char first_managed_page[0] = {};
SIMT_ON_A_PAGE char first_host_page[0]; // the host's without a value come behind
#undef SIMT_ON_A_PAGE

struct SectionRegistration {
  SectionRegistration() {
    if (__start_simt_device) __simt_register_section(0, __start_simt_device, __stop_simt_device);
    if (__start_simt_constant) __simt_register_section(1, __start_simt_constant, __stop_simt_constant);
    if (__start_simt_managed) __simt_register_section(2, __start_simt_managed, __stop_simt_managed);
    if (__start_simt_managed_inline)
      __simt_register_section(2, __start_simt_managed_inline, __stop_simt_managed_inline);
    if (__start_simt_device_inline)
      __simt_register_section(0, __start_simt_device_inline, __stop_simt_device_inline);
    if (__start_simt_constant_inline)
      __simt_register_section(1, __start_simt_constant_inline, __stop_simt_constant_inline);
  }
};
[[maybe_unused]] const SectionRegistration section_registration;

} // namespace
} // namespace simt::detail

#endif
