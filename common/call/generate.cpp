#include "call/generate.hpp"

#include <stdexcept>

#include "call/parallel.hpp"

namespace warpbook {
namespace {

template <typename T>
void fill(const Generator& generator, void* target, std::size_t first, std::size_t count) {
  T* elements = static_cast<T*>(target);
  const auto fill_piece = [&](std::size_t, std::size_t begin, std::size_t end) {
    const Generator own =
        generator; // the elements may be anywhere, also where it lies, for all the compiler knows
    for (std::size_t i = begin; i < end; ++i)
      elements[i] = generated_element<T>(own.distribution, own.seed, first + i);
  };
  for_each_piece(count, fill_piece);
}

} // namespace

void generate(const Generator& generator, void* target, std::size_t first, std::size_t count) {
  switch (generator.type) {
  case ScalarType::boolean:
  case ScalarType::u8:
    return fill<std::uint8_t>(generator, target, first, count);
  case ScalarType::i8:
    return fill<std::int8_t>(generator, target, first, count);
  case ScalarType::i16:
    return fill<std::int16_t>(generator, target, first, count);
  case ScalarType::u16:
    return fill<std::uint16_t>(generator, target, first, count);
  case ScalarType::i32:
    return fill<std::int32_t>(generator, target, first, count);
  case ScalarType::u32:
    return fill<std::uint32_t>(generator, target, first, count);
  case ScalarType::i64:
    return fill<std::int64_t>(generator, target, first, count);
  case ScalarType::u64:
    return fill<std::uint64_t>(generator, target, first, count);
  case ScalarType::f32:
    return fill<float>(generator, target, first, count);
  case ScalarType::f64:
    return fill<double>(generator, target, first, count);
  }
  throw std::invalid_argument("unknown element type of a generated buffer");
}

} // namespace warpbook
