#include "call/generate.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace warpbook {
namespace {

constexpr std::size_t elements_per_thread = std::size_t{1} << 20;

template <typename T>
void fill_part(const Generator& generator, T* target, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    target[i] = generated_element<T>(generator.distribution, generator.seed, first + i);
  }
}

template <typename T>
void fill(const Generator& generator, void* target, std::size_t first, std::size_t count) {
  T* elements = static_cast<T*>(target);
  if (count <= elements_per_thread) return fill_part<T>(generator, elements, first, count);
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t parts = std::min(cores, count / elements_per_thread + 1);
  const std::size_t step = count / parts;
  std::vector<std::jthread> threads;
  for (std::size_t part = 1; part < parts; ++part) {
    const std::size_t length = part + 1 == parts ? count - part * step : step;
    threads.emplace_back(fill_part<T>, std::cref(generator), elements + part * step, first + part * step,
                         length);
  }
  fill_part<T>(generator, elements, first, step);
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
