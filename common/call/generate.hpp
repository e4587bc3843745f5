#pragma once
/// Values of generated buffers. Every element is a function of (seed, index) alone, so that the
/// runner fills a buffer in any order and the grader can ask for any one element.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "call/call.hpp"

namespace warpbook {

/// Bits `index` of the stream `seed`: the SplitMix64 finaliser over a counter.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0xD1342543DE82EF95u + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// A number in [0, 1) with as many random bits as T's mantissa holds, so that 1 never comes out.
template <typename T>
constexpr T unit_interval(std::uint64_t bits) {
  static_assert(std::is_floating_point_v<T>);
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(bits >> 40) * T(0x1p-24);
  else
    return static_cast<T>(bits >> 11) * T(0x1p-53);
}

/// Element `index` of a buffer generated from `distribution` and `seed`.
/// uniform: floats in [low, high), integers in [low, high]; whole: whole numbers in [low, high], floats too
/// (so that sums are exact); constant: low; sequence: low + index * high. With a period, sums and counts of any number
/// of elements follow from those of one period.
template <typename T>
constexpr T generated_element(const Distribution& distribution, std::uint64_t seed, std::uint64_t index) {
  if (distribution.period != 0) index %= distribution.period;
  switch (distribution.shape) {
  case Distribution::Shape::constant:
    return static_cast<T>(distribution.low);
  case Distribution::Shape::sequence:
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(distribution.low + static_cast<double>(index) * distribution.high);
    } else {
      const auto low = static_cast<std::uint64_t>(static_cast<std::int64_t>(distribution.low));
      const auto step = static_cast<std::uint64_t>(static_cast<std::int64_t>(distribution.high));
      return static_cast<T>(low + index * step);
    }
  case Distribution::Shape::whole:
  case Distribution::Shape::uniform:
    break;
  }
  const std::uint64_t bits = random_bits(seed, index);
  if constexpr (std::is_floating_point_v<T>) {
    if (distribution.shape == Distribution::Shape::uniform) {
      const T low = static_cast<T>(distribution.low);
      const T high = static_cast<T>(distribution.high);
      const T value = low + unit_interval<T>(bits) * (high - low);
      return value < high ? value : low; // rounding may reach the open end
    }
  }
  const auto low = static_cast<std::int64_t>(distribution.low);
  const auto count = static_cast<std::uint64_t>(static_cast<std::int64_t>(distribution.high) - low) + 1;
  // Multiply-high maps the 64 bits onto the range without the bias of a remainder.
  const auto offset = static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * count) >> 64);
  return static_cast<T>(static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset));
}

/// Index of the k-th of `samples` elements that stand for a buffer of `count`: the first and the last quarter
/// of them are the buffer's first and last elements, where mistakes at the edges show; the others are
/// anywhere, drawn from `seed`. A buffer of no more elements than that is taken whole, in order.
constexpr std::size_t sampled_index(std::uint64_t seed, std::size_t k, std::size_t samples,
                                    std::size_t count) {
  const std::size_t quarter = samples / 4;
  if (count <= samples || k < quarter) return k;
  if (k >= samples - quarter) return count - (samples - k);
  return static_cast<std::size_t>(random_bits(~seed, k) % count);
}

/// What visit(T{}) returns for the type T that `type` stands for.
template <typename Visit>
auto with_type(ScalarType type, const Visit& visit) {
  switch (type) {
  case ScalarType::boolean:
  case ScalarType::u8:
    return visit(std::uint8_t{});
  case ScalarType::i8:
    return visit(std::int8_t{});
  case ScalarType::i16:
    return visit(std::int16_t{});
  case ScalarType::u16:
    return visit(std::uint16_t{});
  case ScalarType::i32:
    return visit(std::int32_t{});
  case ScalarType::u32:
    return visit(std::uint32_t{});
  case ScalarType::i64:
    return visit(std::int64_t{});
  case ScalarType::u64:
    return visit(std::uint64_t{});
  case ScalarType::f32:
    return visit(float{});
  case ScalarType::f64:
    return visit(double{});
  }
  throw std::invalid_argument("unknown type of a value");
}

/// Writes elements [first, first + count) of type `generator.type` to `target`, on several threads when
/// it is worth it.
void generate(const Generator& generator, void* target, std::size_t first, std::size_t count);

/// The place in the whole buffer of the k-th of its elements that come back.
inline std::size_t returned_index(const BufferArgument& buffer, std::size_t k) {
  if (buffer.is_sparse()) return buffer.sparse_first + k * buffer.sparse_step;
  return buffer.returned_count() == buffer.count
             ? k
             : sampled_index(buffer.generator.seed, k, buffer.samples, buffer.count);
}

} // namespace warpbook
