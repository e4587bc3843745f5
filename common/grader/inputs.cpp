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

} // namespace

template std::vector<float> generated_values(std::size_t, const Distribution&, std::uint64_t);
template std::vector<double> generated_values(std::size_t, const Distribution&, std::uint64_t);
template std::vector<int> generated_values(std::size_t, const Distribution&, std::uint64_t);
template std::vector<unsigned> generated_values(std::size_t, const Distribution&, std::uint64_t);

std::uint64_t next_seed() { return random_bits(context().seed, context().seeds_drawn++); }

std::vector<std::size_t> sizes(std::size_t largest) {
  std::vector<std::size_t> result = {0, 1, 31, 32, 33, 255, 256, 257};
  while (!is_prime(largest) && largest > 257) --largest;
  if (largest > 257) result.push_back(largest);
  return result;
}

std::vector<float> random_floats(std::size_t n, float low, float high) {
  return generated_values<float>(n, {.low = low, .high = high}, next_seed());
}
std::vector<double> random_doubles(std::size_t n, double low, double high) {
  return generated_values<double>(n, {.low = low, .high = high}, next_seed());
}

} // namespace warpbook
