#pragma once
/// The contract seen from a rubric: which function, with which arguments. Everything here is checked
/// by the compiler against the declaration in lab.hpp, so that a rubric cannot send a wrong call.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "call/call.hpp"
#include "grader/text.hpp"

namespace warpbook {

/// A contract's function: its type and its name, never its address (the grader does not link it).
template <typename Signature>
struct Function {
  const char* name;
};

/// The function `f` of lab.hpp as the first argument of Submission::call.
#define CONTRACT(f) (::warpbook::Function<decltype(f)>{#f})

template <typename T>
concept Element = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

/// What a rubric says about a buffer; a generated one is an input or in-out as its parameter is.
enum class Role { in, inout, out, generated };

/// A buffer argument as a rubric writes it; made by in(), inout(), out() and generated(). It refers
/// to the rubric's values, which must live until the call returns.
template <Element T, Role role>
struct BufferValue {
  std::span<const T> values; ///< contents before the call (in and inout)
  BufferArgument buffer;     ///< without what the call has for it: name, direction and guard zones

  BufferValue(std::span<const T> values, std::size_t count) : values(values) {
    buffer.element_size = sizeof(T);
    buffer.count = count;
    buffer.generated = role == Role::generated;
    buffer.returned = role != Role::generated;
  }

  /// The same buffer, but starting `bytes` past a 256-byte boundary (`bytes` < 256).
  BufferValue shifted(std::size_t bytes) const {
    if (bytes >= 256) throw std::invalid_argument("shifted() takes fewer than 256 bytes");
    BufferValue other = *this;
    other.buffer.front = bytes;
    return other;
  }
  /// The same buffer, whose contents come back with the reply (the default, except for generated ones).
  BufferValue returned() const {
    BufferValue other = *this;
    other.buffer.returned = true;
    return other;
  }
  /// The same generated buffer, of which `count` elements come back, the first and last ones among them (see
  /// sampled_index in call/generate.hpp): large outputs are checked without travelling.
  BufferValue sampled(std::size_t count = 4096) const {
    static_assert(role == Role::generated, "buffers that travel come back whole");
    BufferValue other = returned();
    other.buffer.samples = count;
    return other;
  }
  /// The same generated buffer on the simulator, of which only the elements first + k * step, `count` of them, are made, and
  /// come back with up to `most_strays` others that were written. All others are 0, and take no memory: for indices that need
  /// more than 32 bits.
  BufferValue sparse(std::size_t first, std::size_t step, std::size_t count) const {
    static_assert(role == Role::generated, "buffers that travel are there as a whole");
    if (step == 0 || count == 0 || first + (count - 1) * step >= buffer.count)
      throw std::invalid_argument("sparse() takes elements of the buffer");
    BufferValue other = sampled(count);
    other.buffer.sparse_first = first, other.buffer.sparse_step = step;
    return other;
  }
};

namespace detail {
template <typename Range>
using ElementOf = std::remove_cvref_t<decltype(*std::data(std::declval<const Range&>()))>;
}

/// An input: the function takes `const T*`, and must leave the values alone. `values` is a vector,
/// array or span of T.
template <typename Range>
BufferValue<detail::ElementOf<Range>, Role::in> in(const Range& values) {
  return {{std::data(values), std::size(values)}, std::size(values)};
}

/// An input that the function overwrites: it takes `T*`. `values` itself is not changed; the new
/// contents are in the reply.
template <typename Range>
BufferValue<detail::ElementOf<Range>, Role::inout> inout(const Range& values) {
  return {{std::data(values), std::size(values)}, std::size(values)};
}

/// An output of `count` elements, poisoned before the call (as floats or doubles: NaNs).
template <Element T>
BufferValue<T, Role::out> out(std::size_t count) {
  return {{}, count};
}

/// Distributions for generated(): floats in [low, high), integers in [low, high].
constexpr Distribution uniform(double low = 0, double high = 1) {
  return {Distribution::Shape::uniform, low, high};
}
/// Whole numbers in [low, high], as floats or integers: their sums and small multiples are exact.
constexpr Distribution whole_numbers(double low, double high) {
  return {Distribution::Shape::whole, low, high};
}
/// Every element is `value`.
constexpr Distribution constant(double value) { return {Distribution::Shape::constant, value, 0}; }
/// Element i is first + i * step.
constexpr Distribution sequence(double first = 0, double step = 1) {
  return {Distribution::Shape::sequence, first, step};
}

/// The first `period` elements of a distribution over and over.
constexpr Distribution repeating(Distribution distribution, std::uint64_t period) {
  distribution.period = period;
  return distribution;
}

namespace detail {

template <typename T>
constexpr ScalarType scalar_type() {
  if constexpr (std::is_enum_v<T>)
    return scalar_type<std::underlying_type_t<T>>();
  else if constexpr (std::is_same_v<T, bool>)
    return ScalarType::boolean;
  else if constexpr (std::is_same_v<T, float>)
    return ScalarType::f32;
  else if constexpr (std::is_same_v<T, double>)
    return ScalarType::f64;
  else {
    static_assert(std::is_integral_v<T>, "a contract passes scalars, enums and pointers only");
    constexpr ScalarType types[4][2] = {{ScalarType::u8, ScalarType::i8},
                                        {ScalarType::u16, ScalarType::i16},
                                        {ScalarType::u32, ScalarType::i32},
                                        {ScalarType::u64, ScalarType::i64}};
    constexpr int row = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return types[row][std::is_signed_v<T> ? 1 : 0];
  }
}

template <typename T>
std::uint64_t bits_of(T value) {
  static_assert(sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

/// The value of type P that argument `value` stands for; integers are checked for range here, since
/// their types alone do not tell (`33` is an int, and fits a size_t).
template <typename P, typename A>
P checked_scalar(A value, const char* function, std::size_t position) {
  if constexpr (std::is_integral_v<P> && std::is_integral_v<A> && !std::is_same_v<P, A>) {
    const P converted = static_cast<P>(value);
    if (static_cast<A>(converted) != value || ((converted < P{}) != (value < A{}))) {
      throw std::out_of_range("argument " + std::to_string(position) + " of " + function +
                              " does not fit its type");
    }
    return converted;
  } else {
    return static_cast<P>(value);
  }
}

template <typename P, typename A>
constexpr bool scalar_fits() {
  if constexpr (std::is_enum_v<P> || std::is_same_v<P, bool> || std::is_same_v<A, bool>)
    return std::is_same_v<P, A>;
  else if constexpr (std::is_integral_v<P>)
    return std::is_integral_v<A>;
  else if constexpr (std::is_floating_point_v<P>)
    return std::is_floating_point_v<A> && sizeof(A) <= sizeof(P);
  else
    return false;
}

/// Whether a rubric's argument of type A may stand where the contract has a parameter of type P.
template <typename P, typename A>
struct Accepts : std::bool_constant<scalar_fits<P, A>()> {};
template <typename P, typename T, Role role>
struct Accepts<P*, BufferValue<T, role>>
    : std::bool_constant<std::is_same_v<std::remove_const_t<P>, T> &&
                         (role == Role::generated || std::is_const_v<P> == (role == Role::in))> {};

template <typename Signature, typename... Args>
struct Callable : std::false_type {};
template <typename R, typename... Ps, typename... Args>
struct Callable<R(Ps...), Args...> {
  static constexpr bool check() {
    if constexpr (sizeof...(Ps) != sizeof...(Args))
      return false;
    else
      return (Accepts<Ps, Args>::value && ...);
  }
  static constexpr bool value = check();
};

/// One argument ready to be sent, with what the reply needs to be read.
struct PreparedArgument : Argument {
  std::string text;                  ///< scalar: its value, for messages
  std::span<const std::byte> values; ///< of a buffer, before the call
  const std::type_info* element_type = nullptr;
  std::string (*element_text)(const std::byte*) = nullptr; ///< one element, for messages
};

struct ReturnType {
  bool has_value = false;
  ScalarType type = ScalarType::i32;
  std::size_t size = 0;
};

template <typename P, typename T, Role role>
PreparedArgument prepare(const BufferValue<T, role>& value, const char*, std::size_t) {
  constexpr Direction directions[] = {Direction::in, Direction::inout, Direction::out,
                                      std::is_const_v<std::remove_pointer_t<P>> ? Direction::in
                                                                                : Direction::inout};
  PreparedArgument prepared;
  prepared.is_buffer = true;
  prepared.buffer = value.buffer;
  prepared.buffer.direction = directions[static_cast<int>(role)];
  prepared.values = std::as_bytes(value.values);
  prepared.element_type = &typeid(T);
  prepared.element_text = &bytes_to_text<T>;
  return prepared;
}

template <typename P, typename A>
PreparedArgument prepare(const A& argument, const char* function, std::size_t position) {
  PreparedArgument prepared;
  const P value = checked_scalar<P>(argument, function, position);
  prepared.scalar = {scalar_type<P>(), bits_of(value)};
  prepared.text = to_text(value);
  return prepared;
}

} // namespace detail

/// A buffer of `count` elements that the runner makes itself (for benches: nothing travels). It is an
/// input or an in-out buffer, as the parameter says; its contents come back only if `.returned()`.
/// Element i is generated_element<T>(distribution, seed, i), see call/generate.hpp. An element of a struct of
/// k values of type V, generated<Particle, float>(…), holds generated_element<V>(distribution, seed, i * k)
/// and the following. In-out buffers get these contents back before every repetition.
template <Element T, Element V = T>
BufferValue<T, Role::generated> generated(std::size_t count, Distribution distribution, std::uint64_t seed) {
  static_assert(sizeof(T) % sizeof(V) == 0);
  BufferValue<T, Role::generated> value({}, count);
  value.buffer.generator = {detail::scalar_type<V>(), distribution, seed};
  return value;
}

/// An output of `count` elements for benches: made by the runner, and filled before every repetition with a
/// value that no right answer holds. Its contents come back only if `.returned()` or `.sampled()`.
template <Element T>
BufferValue<T, Role::generated> poisoned(std::size_t count) {
  static_assert(std::is_arithmetic_v<T>);
  return generated<T>(count, constant(std::is_floating_point_v<T> ? -0x1.badp+90 : 0x5A), 0);
}

} // namespace warpbook
