#include "call/generate.hpp"

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
  with_type(generator.type, [&](auto value) { fill<decltype(value)>(generator, target, first, count); });
}

} // namespace warpbook
