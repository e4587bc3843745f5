#pragma once
/// The shapes of wrong sums of everything: what becomes of the products if blocks, threads or lanes go another way than
/// they should. Each is computed for the grid that was launched, and compared with what came out.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "vectors.hpp"

namespace dot_product {

/// The blocks of one kernel, and the threads of each.
struct Shape {
  std::size_t blocks = 0, threads = 0;
  std::size_t all() const { return blocks * threads; }
};

/// Mistakes that make another sum of everything.
using WrongSums = std::vector<Mistake<Exact>>;
/// Of products, or of blocks.
using IsIn = std::function<bool(std::size_t)>;
/// Of product i.
using Factors = std::function<std::pair<double, double>(std::size_t)>;

/// A sum that came out, of whatever type.
struct Sum {
  Factors factors;
  std::size_t n;
  bool is_float, exact;
  Exact wanted;
  double value;
  bool by_last_block; ///< of dot_deterministic_f32: the last block adds up what the others left
  /// Products whose elements were read, each as often as it was; not known on a GPU.
  std::optional<std::size_t> products_read = {};

  template <typename T>
  Sum(const Vectors<T>& v, const Exact& right, double result, bool is_by_last_block = false)
      : factors([&v](std::size_t i) { return v[i]; }), n(v.size()), is_float(sizeof(T) == sizeof(float)),
        exact(v.exact), wanted(right), value(result), by_last_block(is_by_last_block) {}

  int writer() const { return by_last_block ? 5 : 4; } ///< the TODO that writes the result
  /// The section of the handout about that.
  const char* writing() const { return by_last_block ? "The last block" : "One addition per block"; }
  /// A message with what writes the result behind its other TODOs.
  LabMessage at_writer(LabMessage says) const {
    says.todos.push_back(writer());
    return says;
  }
  double bound(const Exact& other) const {
    return exact ? 0 : is_float ? tolerance<float>(other) : tolerance<double>(other);
  }
  double allowed() const { return bound(wanted); }
  /// What is said of the mistake whose sum it is. The bound is for the worst case; what comes out far more exactly is no
  /// chance.
  std::optional<LabMessage> made_by(const WrongSums& mistakes) const {
    const Mistake<Exact>* made = mistake_made(
        mistakes, 1,
        [&](std::size_t, const Exact& other) { return near(value, other.sum, bound(other) / 32); },
        [&](std::size_t, const Exact& other) { return near(other.sum, wanted.sum, allowed()); });
    return made == nullptr ? std::nullopt : std::optional(made->message);
  }
  /// A mistake that adds the products alone that is_in(i) names.
  Mistake<Exact> only(LabMessage says, const IsIn& is_in) const {
    return {std::move(says), [this, is_in](std::size_t) { return exact_sum(n, factors, is_in); }};
  }
};

// ---- a thread's elements: TODO(2) ------------------------------------------------------------------------

/// Where thread t of a block begins.
using Start = std::function<std::size_t(std::size_t block, std::size_t t)>;
/// Whether the products of thread t of a block get as far as the result; all do if it is empty.
using IsHeard = std::function<bool(std::size_t block, std::size_t t)>;

/// The sum with each product as often as threads take it that begin at start(block, thread of the block) and go on by
/// `step` elements; its count says how often that is in all.
inline Exact walked(const Sum& sum, Shape shape, const Start& start, std::size_t step,
                    const IsHeard& is_heard = {}) {
  std::vector<double> times(sum.n);
  for (std::size_t block = 0; block < shape.blocks; ++block) {
    for (std::size_t t = 0; t < shape.threads; ++t) {
      if (is_heard && !is_heard(block, t)) continue;
      if (const std::size_t first = start(block, t); first < sum.n) times[first] += 1;
    }
  }
  for (std::size_t i = step; i < sum.n; ++i) times[i] += times[i - step];
  const auto taken = [&](std::size_t i) {
    const auto [a, b] = sum.factors(i);
    return std::pair{times[i] * a, b};
  };
  Exact other = exact_sum(sum.n, taken, [&](std::size_t i) { return times[i] > 0; });
  other.count = static_cast<std::size_t>(std::accumulate(times.begin(), times.end(), 0.0));
  return other;
}

/// Threads that go through the array in another way, of which these are heard.
inline WrongSums walks_of(const IsHeard& is_heard, const Sum& sum, Shape shape) {
  const auto right = [=](std::size_t block, std::size_t t) { return block * shape.threads + t; };
  const auto of_block = [](std::size_t, std::size_t t) { return t; };
  const auto by_one = [](std::size_t block, std::size_t t) { return block + t; };
  const auto walk = [&](LabMessage says, const Start& start, std::size_t step) -> Mistake<Exact> {
    const auto predicts = [&sum, shape, start, step, is_heard](std::size_t) {
      const Exact other = walked(sum, shape, start, step, is_heard);
      if (is_heard) return other; // of what others have read nothing came to the result
      // A multiple of the right sum may have other causes: what was read tells. What blocks tell each other is read as
      // well.
      const std::size_t read = sum.products_read.value_or(other.count);
      const bool is_read = read >= other.count && read - other.count <= sum.n / 16 + shape.blocks;
      return is_read ? other : sum.wanted;
    };
    return {std::move(says), predicts};
  };
  WrongSums list = {walk(message("same-place-in-every-block", shape.blocks, true), of_block, shape.all()),
                    walk(message("same-place-in-every-block", shape.blocks, false), of_block, shape.threads),
                    walk(message("blocks-overlap"), by_one, shape.all()),
                    walk(message("step-of-a-block", shape.threads, shape.blocks), right, shape.threads),
                    walk(message("step-too-small/one"), right, 1)};
  if (shape.blocks > 1)
    list.push_back(walk(message("step-too-small/blocks", shape.blocks, shape.all()), right, shape.blocks));
  return list;
}

/// The same of all threads.
inline WrongSums wrong_walks(const Sum& sum, Shape shape) { return walks_of({}, sum, shape); }

/// Threads that have one product each.
inline WrongSums single_products(const Sum& sum, Shape shape) {
  const std::size_t n = sum.n, all = shape.all();
  if (n <= all) return {};
  return {sum.only(message("grid-covers-once", all), [=](std::size_t i) { return i < all; }),
          sum.only(message("last-product-only", all), [=](std::size_t i) { return i >= n - all; })};
}

/// Mistakes of TODO(2) while TODO(3) is open: without exchanges the sum of a block is its thread 0's. What a last block makes
/// of such sums is too little to tell them apart.
inline WrongSums walks_of_first_threads(const Sum& sum, Shape shape) {
  if (sum.by_last_block) return {};
  WrongSums list = walks_of([](std::size_t, std::size_t t) { return t == 0; }, sum, shape);
  const auto only = [&](LabMessage says, std::size_t first, std::size_t last) {
    list.push_back(sum.only(std::move(says),
                            [=](std::size_t i) { return i >= first && i < last && i % shape.threads == 0; }));
  };
  if (sum.n > shape.all()) {
    only(message("grid-covers-once/of-thread"), 0, shape.all());
    only(message("last-product-only/of-thread"), sum.n - shape.all(), sum.n);
  }
  return list;
}

// ---- the exchanges of a warp: TODO(3) --------------------------------------------------------------------

using Lanes = std::array<double, warp_size>;

/// A warp_sum that is wrong, whose lane 0 gives this.
struct WarpMistake {
  LabMessage message;
  std::function<double(const Lanes&)> sum;
};

inline LabMessage distance_left_out(std::size_t distance) {
  return message("distance-left-out", 2 * distance, distance == 1, distance);
}

inline std::vector<WarpMistake> warp_mistakes(const Sum& sum) {
  constexpr std::size_t half = warp_size / 2;
  // Of which lane a lane gets the value: its own where there is no such lane.
  const auto above = [](std::size_t lane, std::size_t distance) {
    return lane + distance < warp_size ? lane + distance : lane;
  };
  const auto below = [](std::size_t lane, std::size_t distance) {
    return lane < distance ? lane : lane - distance;
  };
  const auto by_number = [](std::size_t, std::size_t distance) { return distance; };
  // What lane 0 has after exchanges over distances of `first`, half of it, ... 1, without the one over `left_out`.
  const auto exchanged = [](auto from, std::size_t first, std::size_t left_out = 0) {
    return [=](Lanes v) {
      for (std::size_t distance = first; distance >= 1; distance /= 2) {
        if (distance == left_out) continue;
        const Lanes before = v;
        for (std::size_t lane = 0; lane < warp_size; ++lane) v[lane] += before[from(lane, distance)];
      }
      return v[0];
    };
  };
  std::vector<WarpMistake> list = {{message("lanes-not-added"), [](const Lanes& v) { return v[0]; }},
                                   {message("own-value-added/distance-32"), exchanged(above, warp_size)},
                                   // The same comes of one thread that calls it without the others.
                                   {sum.at_writer(message("own-value-added/lane-0")), exchanged(below, half)},
                                   {message("lane-by-number"), exchanged(by_number, half)},
                                   {message("old-values-exchanged"),
                                    [](const Lanes& v) { return v[0] + v[1] + v[2] + v[4] + v[8] + v[16]; }}};
  for (std::size_t left_out = half; left_out >= 1; left_out /= 2)
    list.push_back({distance_left_out(left_out), exchanged(above, half, left_out)});
  return list;
}

/// What thread 0 of a block gets whose warps, and then the warps' sums, are added up so. `of_threads` has a value for each.
inline double block_sum(const double* of_threads, std::size_t threads, const WarpMistake& mistake) {
  Lanes of_warps{};
  for (std::size_t t = 0; t < threads; t += warp_size) {
    Lanes lanes;
    std::copy_n(of_threads + t, warp_size, lanes.begin());
    of_warps[t / warp_size] = mistake.sum(lanes);
  }
  return mistake.sum(of_warps);
}

/// The sum of a grid-stride loop whose blocks add up so; in the end all blocks' sums are added, or a last block does
/// that as it has added its own.
inline Exact added_up(const Sum& sum, Shape shape, const WarpMistake& mistake, bool by_last_block) {
  std::vector<double> sums(shape.all()), magnitudes(shape.all());
  for (std::size_t i = 0; i < sum.n; ++i) {
    const auto [a, b] = sum.factors(i);
    sums[i % shape.all()] += a * b;
    magnitudes[i % shape.all()] += std::abs(a * b);
  }
  const auto total = [&](const std::vector<double>& of_threads) {
    std::vector<double> of_last_block(shape.threads);
    double all = 0;
    for (std::size_t block = 0; block < shape.blocks; ++block) {
      const double of_block = block_sum(of_threads.data() + block * shape.threads, shape.threads, mistake);
      of_last_block[block % shape.threads] += of_block;
      all += of_block;
    }
    return by_last_block ? block_sum(of_last_block.data(), shape.threads, mistake) : all;
  };
  return {total(sums), total(magnitudes), sum.n};
}

/// Lanes that exchange something else.
inline WrongSums wrong_exchanges(const Sum& sum, Shape shape) {
  if (shape.threads == 0 || shape.threads % warp_size != 0 || shape.threads > warp_size * warp_size)
    return {};
  WrongSums list;
  for (const WarpMistake& mistake : warp_mistakes(sum)) {
    for (const bool in_last_block : {true, false}) {
      if (in_last_block && !sum.by_last_block) continue;
      list.push_back({mistake.message, [&sum, shape, mistake, in_last_block](std::size_t) {
                        return added_up(sum, shape, mistake, in_last_block);
                      }});
    }
  }
  return list;
}

// ---- the sums of blocks: TODO(4) and TODO(5) ---------------------------------------------------------------

/// Whole blocks that are missing.
inline WrongSums missing_blocks(const Sum& sum, Shape shape) {
  const std::size_t blocks = shape.blocks, threads = shape.threads;
  if (blocks < 2) return {};
  const auto only = [&](LabMessage says, const IsIn& has_block) {
    return sum.only(sum.at_writer(std::move(says)),
                    [=](std::size_t i) { return has_block(i / threads % blocks); });
  };
  WrongSums list;
  for (const bool is_first : {true, false}) {
    list.push_back(only(sum.by_last_block ? message("partials-left-out/blocks", is_first, blocks)
                                          : message("one-block-only", is_first, blocks),
                        [=](std::size_t block) { return block == (is_first ? 0 : blocks - 1); }));
  }
  if (blocks > 2) { // else it is the first one alone
    LabMessage says = message("last-block-left-out", blocks);
    says.section = sum.writing();
    list.push_back(only(says, [=](std::size_t block) { return block != blocks - 1; }));
  }
  if (blocks > threads) {
    list.push_back(only(message("partials-left-out/threads", threads, blocks),
                        [=](std::size_t block) { return block < threads; }));
  }
  return list;
}

// ---- all of them -----------------------------------------------------------------------------------------

/// Parts of warps, blocks or vectors that are missing, however many blocks there were.
inline WrongSums missing_parts(const Sum& sum) {
  const std::size_t n = sum.n;
  WrongSums list;
  for (std::size_t width = warp_size; width <= 1024 && n > width; width *= 2) {
    list.push_back(sum.only(message("lanes-not-added"), [=](std::size_t i) { return i % width == 0; }));
    if (width == warp_size) continue;
    list.push_back(sum.only(sum.at_writer(message("one-warp-only", width)),
                            [=](std::size_t i) { return i % width < warp_size; }));
  }
  for (std::size_t distance = warp_size / 2; distance >= 1 && n > warp_size; distance /= 2) {
    list.push_back(
        sum.only(distance_left_out(distance), [=](std::size_t i) { return i / distance % 2 == 0; }));
  }
  for (std::size_t block = 1; block <= 8192; block *= 2) {
    const std::size_t left = block == 1 ? 1 : n % block;
    if (n < 2 || left == 0) continue;
    list.push_back(sum.only(left == 1 ? message("tail-left-out/element")
                                      : message("tail-left-out/elements", left, block),
                            [=](std::size_t i) { return i < n - left; }));
  }
  return list;
}

/// Other numbers of the arrays in place of a product's factors.
inline std::array<std::pair<double, double>, 5> other_factors(const std::pair<double, double>& factors) {
  const auto [a, b] = factors;
  return {{{a, 1}, {b, 1}, {a + b, 1}, {a, a}, {b, b}}};
}
constexpr std::size_t other_kinds = std::tuple_size_v<decltype(other_factors({}))>;

inline WrongSums other_numbers(const Sum& sum) {
  WrongSums list;
  for (std::size_t kind = 0; kind < other_kinds; ++kind) {
    const auto others = [&sum, kind](std::size_t i) { return other_factors(sum.factors(i))[kind]; };
    list.push_back({message("not-the-products"),
                    [&sum, others](std::size_t) { return exact_sum(sum.n, others, is_in_all); }});
  }
  return list;
}

/// Products, or their factors, that lose what is behind the point.
inline WrongSums whole_products(const Sum& sum) {
  WrongSums list;
  for (const bool of_factors : {false, true}) {
    const Factors whole = [&sum, of_factors](std::size_t i) {
      const auto [a, b] = sum.factors(i);
      return of_factors ? std::pair{std::trunc(a), std::trunc(b)} : std::pair{std::trunc(a * b), 1.0};
    };
    list.push_back({message("low-precision/whole", sum.is_float),
                    [&sum, whole](std::size_t) { return exact_sum(sum.n, whole, is_in_all); }});
  }
  return list;
}

/// What is wrong with a sum that a kernel of this shape made, if it is known.
inline std::optional<LabMessage> known_by_grid(const Sum& sum, Shape shape) {
  for (const auto& mistakes : {missing_blocks, wrong_walks, single_products, wrong_exchanges}) {
    if (const std::optional<LabMessage> made = sum.made_by(mistakes(sum, shape))) return made;
  }
  return {};
}

} // namespace dot_product
