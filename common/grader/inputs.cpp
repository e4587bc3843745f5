#include "grader/inputs.hpp"

#include "grader/context.hpp"

namespace warpbook {
namespace {

bool is_prime(std::size_t n) {
  if (n < 2) return false;
  for (std::size_t divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return false;
  }
  return true;
}

template <typename T>
std::vector<T> random_reals(std::size_t n, T low, T high) {
  const std::uint64_t seed = next_seed();
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = generated_element<T>({.low = low, .high = high}, seed, i);
  return values;
}

} // namespace

std::uint64_t run_seed() { return context().seed; }

std::uint64_t next_seed() { return random_bits(context().seed, context().seeds_drawn++); }

std::vector<std::size_t> sizes(std::size_t largest) {
  std::vector<std::size_t> result = {0, 1, 31, 32, 33, 255, 256, 257};
  while (!is_prime(largest) && largest > 257) --largest;
  if (largest > 257) result.push_back(largest);
  return result;
}

std::vector<float> random_floats(std::size_t n, float low, float high) { return random_reals(n, low, high); }
std::vector<double> random_doubles(std::size_t n, double low, double high) {
  return random_reals(n, low, high);
}

} // namespace warpbook
