#pragma once
/// Inputs for rubrics, all drawn from the run's seed: the same run gives the same values, an
/// instructor's run with --seed gives values that nobody has seen.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "call/generate.hpp"
#include "call/parallel.hpp"

namespace warpbook {

/// The seed of this run (--seed).
std::uint64_t run_seed();
/// A fresh seed, drawn from the run's seed; each call gives another one.
std::uint64_t next_seed();

/// The lengths to grade at: 0, 1, 31, 32, 33, 255, 256, 257 and the largest prime not above
/// `largest` (on the simulator a few thousand elements are plenty).
std::vector<std::size_t> sizes(std::size_t largest = 4999);

/// What a buffer of `n` elements generated from `distribution` and `seed` holds.
template <typename T>
std::vector<T> generated_values(std::size_t n, const Distribution& distribution, std::uint64_t seed) {
  std::vector<T> values(n);
  for_each_piece(n, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) values[i] = generated_element<T>(distribution, seed, i);
  });
  return values;
}

/// Integers for a call, and what they are in words.
struct Integers {
  std::string what;
  std::vector<int> values;
  std::size_t size() const { return values.size(); }
};

/// `n` values in [low, high).
std::vector<float> random_floats(std::size_t n, float low = -1, float high = 1);
std::vector<double> random_doubles(std::size_t n, double low = -1, double high = 1);

/// `n` integers in [low, high], both reached.
template <typename T = int>
std::vector<T> random_integers(std::size_t n, T low, T high) {
  return generated_values<T>(
      n, {Distribution::Shape::uniform, static_cast<double>(low), static_cast<double>(high)}, next_seed());
}

} // namespace warpbook
