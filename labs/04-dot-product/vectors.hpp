#pragma once
/// Lab 04's inputs of every kind, and a reference that floats cannot match by luck.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"
#include "messages.hpp"

namespace dot_product {

using namespace warpbook;

constexpr std::size_t warp_size = 32;
/// What the simulated device and an H200 have: multiprocessors, the threads that all of them hold at once, and those of
/// one warp for each of their four schedulers.
constexpr std::size_t multiprocessors = 132;
constexpr std::size_t resident_threads = multiprocessors * 2048;
constexpr std::size_t busy_threads = multiprocessors * 4 * 32;

/// A size at which a function that changes nothing is taken for an unsolved task, and at which the usual
/// mistakes show their shape: several blocks of any size, and a tail.
constexpr std::size_t typical = 5003;
/// Primes, divisible by no block and no vector width: the largest below a million, which a GPU gets, and two that are
/// small enough for a simulated thread for every element. The larger is more than a GPU has threads at once.
constexpr std::size_t large = 999'983;
constexpr std::size_t large_on_sim = 199'999;
constexpr std::size_t beyond_threads = 400'009;
/// Has the given launches start more blocks than a block has threads.
constexpr std::size_t beyond_partials = 600'011;
/// On a GPU also more elements than fit its caches.
constexpr std::size_t real = std::size_t{1} << 24;
/// At which the technique items of sums of everything count: 31 blocks of the given launches, and no whole number of
/// blocks, warps or vectors, so that a sum which is right for such numbers only is no right sum here either.
constexpr std::size_t counted_n = (std::size_t{1} << 16) - 131;

// ---- inputs --------------------------------------------------------------------------------------------

/// Two arrays of the same length, and what they are.
template <typename T>
struct Vectors {
  std::string what;
  std::vector<T> a, b;
  bool exact = false; ///< sums are whole numbers that T holds, in whatever order they are made
  bool small = false; ///< random_vectors, times a power of two: only a fixed bound or step tells them apart
  std::size_t size() const { return a.size(); }
  std::pair<double, double> operator[](std::size_t i) const { return {a[i], b[i]}; }
};

template <typename T>
Vectors<T> random_vectors(std::size_t n) {
  return {"random values", random_values<T>(n), random_values<T>(n)};
}

/// Both arrays scaled down by a power of two, which changes no digit: of a sum that is right for random values these are
/// right as well, with the bound scaled as they are, unless the code has a cut-off or a smallest step of its own. The
/// products, about 2^-67, are as far from the smallest normal float.
template <typename T>
Vectors<T> small_vectors(std::size_t n) {
  constexpr T most = 100 * 0x1p-40;
  return {"random values, scaled down to 2^-40 of their size", random_values<T>(n, -most, most),
          random_values<T>(n, -most, most), false, true};
}

/// Products of +-2^100 that cancel, three of each sign, far apart, among random ones: where a block has one, or as long as
/// a sum of blocks holds one, what else is added is lost, in a double as well. So a sum in another order has other bits.
inline Vectors<float> spanning_vectors(std::size_t n) {
  constexpr std::size_t cancelling = 6;
  Vectors<float> v{"random values, and a few large products that cancel", random_values<float>(n),
                   random_values<float>(n)};
  for (std::size_t k = 0; k < cancelling; ++k) {
    const std::size_t i = (k + 1) * n / (cancelling + 1);
    v.a[i] = k % 2 == 0 ? 0x1p50F : -0x1p50F;
    v.b[i] = 0x1p50F;
  }
  return v;
}

/// Whole numbers from -16 to 16: of 2^24 random products the sum stays far below 2^24, so that no addition rounds, and a
/// single product that is missing shows.
template <typename T>
Vectors<T> whole_vectors(std::size_t n) {
  const auto values = [n] { return generated_values<T>(n, whole_numbers(-16, 16), next_seed()); };
  return {"whole numbers", values(), values(), true};
}

/// One value everywhere, sorted values, values whose products all but cancel, and small values. Sums of the one value's
/// products are exact: a chain of them would else be rounded the same way at every step, and whether it is too long is
/// asked by an item of its own. Products that cancel are large, and far apart, so that a tree meets them late.
template <typename T>
std::vector<Vectors<T>> special_vectors(std::size_t n) {
  Vectors<T> sorted{"sorted values", random_values<T>(n), random_values<T>(n)};
  std::ranges::sort(sorted.a);
  std::ranges::sort(sorted.b);
  Vectors<T> cancelling{"products that cancel", random_values<T>(n, 1, 2), random_values<T>(n, 1, 2)};
  for (std::size_t i = 0; i < n / 2; i += 2) {
    const std::size_t partner = n - 1 - i;
    cancelling.a[i] *= T(4096);
    cancelling.a[partner] = -cancelling.a[i];
    cancelling.b[partner] = cancelling.b[i];
  }
  std::vector<Vectors<T>> list = {
      {"one value everywhere", std::vector<T>(n, T(3)), std::vector<T>(n, T(1.25))}, sorted, cancelling};
  // The simulator grades every item that a GPU does: what shows there need not be drawn again.
  if (submission().backend() == Backend::sim) list.push_back(small_vectors<T>(n));
  return list;
}

// ---- reference -----------------------------------------------------------------------------------------

/// A sum of products, known far better than T can hold it, and the sum of the products' absolute values.
struct Exact {
  double sum = 0;
  double magnitude = 0;
  std::size_t count = 0;
};

/// Adds up in twice the precision of a double: the rounding error of each product and of each addition is
/// computed exactly and summed beside (Ogita, Rump and Oishi, "Accurate Sum and Dot Product", 2005, Dot2). The
/// error is that of rounding the result once, and n^2 u^2 times the magnitude, which is nothing here.
struct ExactSum {
  double sum = 0, error = 0, magnitude = 0;
  std::size_t count = 0;

  void add(const ExactSum& other) {
    const double both = sum + other.sum, part = both - sum;
    error += other.error + ((sum - (both - part)) + (other.sum - part));
    sum = both;
    magnitude += other.magnitude;
    count += other.count;
  }
};

/// Of the products of both factors(i), for all i below `count` that is_in(i) names.
template <typename Factors, typename IsIn>
Exact exact_sum(std::size_t count, const Factors& factors, const IsIn& is_in) {
  std::vector<ExactSum> pieces(pieces_of(count));
  for_each_piece(count, [&](std::size_t piece, std::size_t first, std::size_t last) {
    ExactSum sum; // of its own: neighbouring ones share a cache line
    for (std::size_t i = first; i < last; ++i) {
      if (!is_in(i)) continue;
      const auto [x, y] = factors(i);
      const double product = x * y;
      sum.add({product, std::fma(x, y, -product), std::abs(product), 1});
    }
    pieces[piece] = sum;
  });
  ExactSum all;
  for (const ExactSum& sum : pieces) all.add(sum);
  return {all.sum + all.error, all.magnitude, all.count};
}
inline bool is_in_all(std::size_t) { return true; }

/// Of the elements from `first` to `last`.
template <typename T>
Exact exact_dot(const Vectors<T>& v, std::size_t first, std::size_t last) {
  return exact_sum(
      last - first, [&](std::size_t i) { return v[first + i]; }, is_in_all);
}
template <typename T>
Exact exact_dot(const Vectors<T>& v) {
  return exact_dot(v, 0, v.size());
}

/// A product that goes through at most d additions takes along at most d + 1 roundings, its own included, each of a
/// factor within 1 +- u, u = eps / 2. So the sum, whatever the order, is off by at most (d + 1) u / (1 - (d + 1) u)
/// times the magnitude (Higham, Accuracy and Stability of Numerical Algorithms, chapters 3 and 4). The contract
/// allows d + 1 = 32 (1 + log2(k)): 288 for the 256 products of a block, 670 for a million. A tree needs 1 + log2(k);
/// the readable solution at a million 8 products of a thread, 5 lanes, 3 steps over the warps and 488 blocks.
/// Half precision, with its u of 2^-11, is 8192 times worse.
template <typename T>
double tolerance(const Exact& wanted) {
  if (wanted.count == 0) return 0;
  const double eps = std::numeric_limits<T>::epsilon();
  return 16 * eps * (1 + std::log2(static_cast<double>(wanted.count))) * wanted.magnitude;
}

} // namespace dot_product
