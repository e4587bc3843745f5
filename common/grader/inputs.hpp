#pragma once
/// Inputs for rubrics, all drawn from the run's seed: the same run gives the same values, an
/// instructor's run with --seed gives values that no student has seen.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "call/generate.hpp"
#include "call/parallel.hpp"
#include "grader/contract.hpp"

namespace warpbook {

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
// Compiled once, at full speed: large inputs are made of these.
extern template std::vector<float> generated_values(std::size_t, const Distribution&, std::uint64_t);
extern template std::vector<double> generated_values(std::size_t, const Distribution&, std::uint64_t);
extern template std::vector<int> generated_values(std::size_t, const Distribution&, std::uint64_t);
extern template std::vector<unsigned> generated_values(std::size_t, const Distribution&, std::uint64_t);

/// Integers for a call, and what they are in words.
struct Integers {
  std::string what;
  std::vector<int> values;
  std::size_t size() const { return values.size(); }
};

/// `n` values in [low, high).
std::vector<float> random_floats(std::size_t n, float low = -1, float high = 1);
std::vector<double> random_doubles(std::size_t n, double low = -1, double high = 1);

template <std::floating_point T>
std::vector<T> random_values(std::size_t n, T low = -100, T high = 100) {
  return generated_values<T>(n, uniform(static_cast<double>(low), static_cast<double>(high)), next_seed());
}

/// `n` integers in [low, high], both reached.
template <typename T = int>
std::vector<T> random_integers(std::size_t n, T low, T high) {
  return generated_values<T>(
      n, {Distribution::Shape::uniform, static_cast<double>(low), static_cast<double>(high)}, next_seed());
}

/// Values that the runner makes, so that they need not travel; the grader knows each by its place.
template <typename T>
struct Drawn {
  Distribution distribution = uniform(-100, 100);
  std::uint64_t seed = next_seed();

  T operator[](std::size_t i) const { return generated_element<T>(distribution, seed, i); }
  std::vector<T> values(std::size_t n) const { return generated_values<T>(n, distribution, seed); }
  /// A buffer argument of `n` of them.
  auto buffer(std::size_t n) const { return generated<T>(n, distribution, seed); }
};

/// As many values as `random` has: constant, sorted and, over and over, these `extreme` ones.
template <typename T>
std::vector<std::vector<T>> special_inputs(std::vector<T> random, const std::vector<T>& extreme) {
  std::vector<T> constant(random.size(), random.at(0)), adversarial(random.size());
  for (std::size_t i = 0; i < random.size(); ++i) adversarial[i] = extreme[i % extreme.size()];
  std::sort(random.begin(), random.end());
  return {std::move(constant), std::move(random), std::move(adversarial)};
}

} // namespace warpbook
