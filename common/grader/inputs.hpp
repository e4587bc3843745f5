#pragma once
/// Inputs for rubrics, all drawn from the run's seed: the same run gives the same values, an
/// instructor's run with --seed gives values that nobody has seen.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "call/generate.hpp"

namespace warpbook {

/// The seed of this run (--seed).
std::uint64_t run_seed();
/// A fresh seed, drawn from the run's seed; each call gives another one.
std::uint64_t next_seed();

/// The lengths to grade at: 0, 1, 31, 32, 33, 255, 256, 257 and the largest prime not above
/// `largest` (on the simulator a few thousand elements are plenty).
std::vector<std::size_t> sizes(std::size_t largest = 4999);

/// `n` values in [low, high).
std::vector<float> random_floats(std::size_t n, float low = -1, float high = 1);
std::vector<double> random_doubles(std::size_t n, double low = -1, double high = 1);

/// `n` integers in [low, high], both reached.
template <typename T = int>
std::vector<T> random_integers(std::size_t n, T low, T high) {
  const Distribution distribution{Distribution::Shape::uniform, static_cast<double>(low),
                                  static_cast<double>(high)};
  const std::uint64_t seed = next_seed();
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = generated_element<T>(distribution, seed, i);
  return values;
}

} // namespace warpbook
