#pragma once
/// The shapes of wrong sums of everything: what becomes of the products if blocks, threads or lanes go another way than
/// they should. Each is computed for the grid that was launched, and compared with what came out.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vectors.hpp"

namespace dot_product {

/// The blocks of one kernel, and the threads of each.
struct Shape {
  std::size_t blocks = 0, threads = 0;
  std::size_t all() const { return blocks * threads; }
};

/// A mistake that makes another sum of everything.
using WrongSum = Mistake<Exact>;

/// A sum that came out wrong.
template <typename T>
struct Sum {
  const Vectors<T>& vectors;
  const Exact& wanted;
  double value = 0;
  bool by_last_block = false; ///< of dot_deterministic_f32: the last block adds up what the others left

  /// Products whose elements were read, each as often as it was; not known on a GPU.
  std::optional<std::size_t> products_read = {};

  int writer() const { return by_last_block ? 5 : 4; } ///< the TODO that writes the result
  double allowed() const { return tolerance<T>(wanted, vectors.exact); }
  /// The mistake whose sum it is. The bound is for the worst case; what comes out far more exactly is no chance.
  std::optional<WrongSum> made_by(const std::vector<WrongSum>& mistakes) const {
    const WrongSum* made = mistake_made(
        mistakes, 1,
        [&](std::size_t, const Exact& other) {
          return near(value, other.sum, tolerance<T>(other, vectors.exact) / 32);
        },
        [&](std::size_t, const Exact& other) { return near(other.sum, wanted.sum, allowed()); });
    return made == nullptr ? std::nullopt : std::optional(*made);
  }
  /// The sum of the products alone that is_in(i) names, as a mistake predicts it.
  template <typename IsIn>
  auto of(IsIn is_in) const {
    return [&v = vectors, is_in](std::size_t) { return exact_dot_where(v, is_in); };
  }
};

// ---- a thread's elements: TODO(2) ------------------------------------------------------------------------

/// The sum with each product as often as threads take it that begin at start(block, thread of the block) and go on by
/// `step` elements; its count says how often that is in all.
template <typename T, typename Start>
Exact walked(const Vectors<T>& v, Shape shape, const Start& start, std::size_t step) {
  std::vector<double> times(v.size());
  for (std::size_t block = 0; block < shape.blocks; ++block) {
    for (std::size_t t = 0; t < shape.threads; ++t) {
      if (const std::size_t first = start(block, t); first < v.size()) times[first] += 1;
    }
  }
  ExactSum sum;
  double taken = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i >= step) times[i] += times[i - step];
    if (times[i] > 0) sum.add(times[i] * v.a[i], v.b[i]);
    taken += times[i];
  }
  return {sum.result().sum, sum.result().magnitude, static_cast<std::size_t>(taken)};
}

/// Threads that go through the array in another way.
template <typename T>
std::vector<WrongSum> wrong_walks(const Sum<T>& sum, Shape shape) {
  const auto right = [shape](std::size_t block, std::size_t t) { return block * shape.threads + t; };
  const auto of_block = [](std::size_t, std::size_t t) { return t; };
  const auto by_one = [](std::size_t block, std::size_t t) { return block + t; };
  const std::string blocks = counted(shape.blocks, "block");
  const auto same_and = [&](const std::string& rest) {
    return "All " + blocks + " take the same products" + rest +
           ". Which part of a thread's number tells the blocks apart, and how far is it to the next block's "
           "first element?";
  };
  const std::string steps = "Products are added several times: each thread goes on by ";
  std::vector<WrongSum> list;
  const auto tell = [&](const char* id, const std::string& sentence, auto start, std::size_t step) {
    const auto predicts = [&sum, shape, start, step](std::size_t) {
      Exact other = walked(sum.vectors, shape, start, step);
      // A multiple of the right sum may have other causes: what was read tells. What blocks tell each other is read as
      // well.
      const std::size_t read = sum.products_read.value_or(other.count);
      const bool is_read =
          read >= other.count && read - other.count <= sum.vectors.size() / 16 + shape.blocks;
      return is_read ? other : sum.wanted;
    };
    list.push_back({id, sentence, predicts, "One thread, many products", {2}});
  };
  tell("same-place-in-every-block", same_and(", and leave out the others"), of_block, shape.all());
  tell("same-place-in-every-block", same_and(": each of them goes through the whole array"), of_block,
       shape.threads);
  tell("blocks-overlap",
       "Blocks begin only one element apart, so that their threads take each other's products: the first "
       "element of a block is as many elements further as the blocks before it have threads.",
       by_one, shape.all());
  tell("step-of-a-block",
       steps + number(shape.threads) + ", the threads of its block, and takes what the other of the " +
           blocks + " have there. How far must a thread go on so that the others' elements are left to them?",
       right, shape.threads);
  tell("step-too-small",
       steps + "1, and takes everything behind its first element. How many elements in between belong to "
               "other threads?",
       right, 1);
  if (shape.blocks > 1) {
    tell("step-too-small",
         steps + number(shape.blocks) + ", the number of blocks, where the grid has " + number(shape.all()) +
             " threads: what lies in between belongs to others.",
         right, shape.blocks);
  }
  return list;
}

/// Threads that have one product each.
template <typename T>
std::vector<WrongSum> single_products(const Sum<T>& sum, Shape shape) {
  const std::size_t n = sum.vectors.size(), all = shape.all();
  if (n <= all) return {};
  const std::string one_for_each = number(all) + " products, one for each thread of the grid";
  const std::string section = "One thread, many products";
  return {
      {"grid-covers-once",
       "The result has the first " + one_for_each + ". There are more elements than threads.",
       sum.of([=](std::size_t i) { return i < all; }),
       section,
       {2}},
      {"last-product-only",
       "The result has the last " + one_for_each +
           ": a thread forgets its earlier ones when it takes the next. Add to `sum`.",
       sum.of([=](std::size_t i) { return i >= n - all; }),
       section,
       {2}},
  };
}

// ---- the exchanges of a warp: TODO(3) --------------------------------------------------------------------

using Lanes = std::array<double, warp_size>;

/// What each lane gets: a lane with nobody there gets its own value.
inline Lanes from_above(const Lanes& v, std::size_t distance) {
  Lanes got = v;
  for (std::size_t lane = 0; lane + distance < warp_size; ++lane) got[lane] = v[lane + distance];
  return got;
}
inline Lanes from_below(const Lanes& v, std::size_t distance) {
  Lanes got = v;
  for (std::size_t lane = distance; lane < warp_size; ++lane) got[lane] = v[lane - distance];
  return got;
}
inline Lanes from_number(const Lanes& v, std::size_t lane) {
  Lanes got;
  got.fill(v[lane]);
  return got;
}

/// What lane 0 has after exchanges over distances of `first`, half of it, ... 1, without the one over `left_out`.
template <typename Exchange>
double lane_0_after(Exchange exchange, Lanes v, std::size_t first, std::size_t left_out = 0) {
  for (std::size_t distance = first; distance >= 1; distance /= 2) {
    if (distance == left_out) continue;
    const Lanes got = exchange(v, distance);
    for (std::size_t lane = 0; lane < warp_size; ++lane) v[lane] += got[lane];
  }
  return v[0];
}

/// A warp_sum that is wrong, whose lane 0 gives this.
struct WarpMistake {
  std::function<double(const Lanes&)> sum;
  const char* id;
  std::string sentence;
  bool may_be_alone = false; ///< the same comes of one thread that calls it without the others
};

inline std::string distance_left_out(std::size_t distance) {
  return "The sums of some lanes are missing: of every " + number(2 * distance) +
         " neighbouring lanes the upper " + (distance == 1 ? "one" : number(distance)) +
         ". The exchange over a distance of " + number(distance) + " never took place.";
}

inline std::string lane_0_alone() {
  return "The result has the products of lane 0 of a warp only. The sums of the other lanes have to come to "
         "lane 0 first: warp_sum, TODO(3).";
}

inline std::vector<WarpMistake> warp_mistakes() {
  constexpr std::size_t half = warp_size / 2;
  std::vector<WarpMistake> list;
  list.push_back({[](const Lanes& v) { return v[0]; }, "lanes-not-added", lane_0_alone()});
  for (std::size_t left_out = half; left_out >= 1; left_out /= 2) {
    list.push_back({[=](const Lanes& v) { return lane_0_after(from_above, v, half, left_out); },
                    "distance-left-out", distance_left_out(left_out)});
  }
  list.push_back(
      {[](const Lanes& v) { return lane_0_after(from_above, v, warp_size); }, "own-value-added",
       "The result is 4 times the right one, twice for each call of warp_sum: the exchanges begin over a "
       "distance of 32. No lane is so far away, and a lane with nobody there gets its own value back."});
  list.push_back({[](const Lanes& v) { return lane_0_after(from_below, v, half); }, "own-value-added",
                  "In every exchange lane 0 got its own value back and added that, as a lane does with "
                  "nobody where it looks: nobody lies below lane 0 (__shfl_up_sync), and nobody answers a "
                  "lane that makes the exchange alone (do all threads come to block_sum?).",
                  true});
  list.push_back({[](const Lanes& v) { return lane_0_after(from_number, v, half); }, "lane-by-number",
                  "The lanes got the value of the lane with the number `distance`, as __shfl_sync gives it, "
                  "and not of the lane that is `distance` further on than they are."});
  list.push_back({[](const Lanes& v) { return v[0] + v[1] + v[2] + v[4] + v[8] + v[16]; },
                  "old-values-exchanged",
                  "Of each warp the sum has lanes 0, 1, 2, 4, 8 and 16 only: every exchange passed on what "
                  "the lanes had in the beginning. Pass on what a lane has added up so far."});
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
template <typename T>
Exact exchanged(const Vectors<T>& v, Shape shape, const WarpMistake& mistake, bool by_last_block) {
  std::vector<double> sums(shape.all()), magnitudes(shape.all());
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double product = static_cast<double>(v.a[i]) * v.b[i];
    sums[i % shape.all()] += product;
    magnitudes[i % shape.all()] += std::abs(product);
  }
  const auto total = [&](const std::vector<double>& of_threads) {
    std::vector<double> of_last_block(shape.threads);
    double all = 0;
    for (std::size_t block = 0; block < shape.blocks; ++block) {
      const double sum = block_sum(of_threads.data() + block * shape.threads, shape.threads, mistake);
      of_last_block[block % shape.threads] += sum;
      all += sum;
    }
    return by_last_block ? block_sum(of_last_block.data(), shape.threads, mistake) : all;
  };
  return {total(sums), total(magnitudes), v.size()};
}

/// Lanes that exchange something else.
template <typename T>
std::vector<WrongSum> wrong_exchanges(const Sum<T>& sum, Shape shape) {
  if (shape.threads == 0 || shape.threads % warp_size != 0 || shape.threads > warp_size * warp_size)
    return {};
  std::vector<WrongSum> list;
  for (const WarpMistake& mistake : warp_mistakes()) {
    std::vector<int> todos = {3};
    if (mistake.may_be_alone) todos.push_back(sum.writer());
    for (const bool in_last_block : {true, false}) {
      if (in_last_block && !sum.by_last_block) continue;
      list.push_back({mistake.id, mistake.sentence,
                      [&sum, shape, mistake, in_last_block](std::size_t) {
                        return exchanged(sum.vectors, shape, mistake, in_last_block);
                      },
                      "Lanes tell each other", todos});
    }
  }
  return list;
}

// ---- the sums of blocks: TODO(4) and TODO(5) ---------------------------------------------------------------

/// Whole blocks that are missing.
template <typename T>
std::vector<WrongSum> missing_blocks(const Sum<T>& sum, Shape shape) {
  const std::size_t blocks = shape.blocks, threads = shape.threads;
  if (blocks < 2) return {};
  const std::string section = sum.by_last_block ? "The last block" : "One addition a block";
  std::vector<WrongSum> list;
  const auto tell = [&](const char* id, const std::string& sentence, auto has_block) {
    list.push_back({id,
                    sentence,
                    sum.of([=](std::size_t i) { return has_block(i / threads % blocks); }),
                    section,
                    {sum.writer()}});
  };
  for (const std::size_t only : {std::size_t{0}, blocks - 1}) {
    const std::string which =
        (only == 0 ? "the first" : "the last") + std::string(" block alone, of ") + number(blocks);
    const auto is_it = [=](std::size_t block) { return block == only; };
    if (sum.by_last_block) {
      tell("partials-left-out",
           "The result is the partial sum of " + which +
               ": those of the others are missing. Which of them do the threads of the last block take, and "
               "do all these threads' sums come together?",
           is_it);
    } else {
      tell("one-block-only",
           "The result is the sum of " + which + ". Each block has to add its own to what is there.", is_it);
    }
  }
  if (blocks > 2) { // else it is the first one alone
    tell("last-block-left-out", "The products of the last block, of " + number(blocks) + ", are missing.",
         [=](std::size_t block) { return block != blocks - 1; });
  }
  if (blocks > threads) {
    tell("partials-left-out",
         "The result has the sums of the first " + number(threads) + " blocks only, of " + number(blocks) +
             ": there are more partial sums than the block that adds them has threads.",
         [=](std::size_t block) { return block < threads; });
    list.back().section = "The last block";
  }
  return list;
}

// ---- all together ----------------------------------------------------------------------------------------

/// Parts of warps, blocks or vectors that are missing, however many blocks there were.
template <typename T>
std::vector<WrongSum> missing_parts(const Sum<T>& sum) {
  const std::size_t n = sum.vectors.size();
  std::vector<WrongSum> list;
  for (std::size_t width = warp_size; width <= 1024 && n > width; width *= 2) {
    list.push_back({"lanes-not-added",
                    lane_0_alone(),
                    sum.of([=](std::size_t i) { return i % width == 0; }),
                    "Lanes tell each other",
                    {3}});
    if (width == warp_size) continue;
    list.push_back({"one-warp-only",
                    "The result has the products of the first warp of each block only, of blocks of " +
                        number(width) + " threads. The other warps' sums are lost: block_sum adds them up.",
                    sum.of([=](std::size_t i) { return i % width < warp_size; }),
                    "One addition a block",
                    {sum.writer()}});
  }
  for (std::size_t distance = warp_size / 2; distance >= 1 && n > warp_size; distance /= 2) {
    list.push_back({"distance-left-out",
                    distance_left_out(distance),
                    sum.of([=](std::size_t i) { return i / distance % 2 == 0; }),
                    "Lanes tell each other",
                    {3}});
  }
  for (std::size_t block = 1; block <= 8192; block *= 2) {
    const std::size_t left = block == 1 ? 1 : n % block;
    if (n < 2 || left == 0) continue;
    list.push_back({"tail-left-out",
                    left == 1 ? "The last element is missing: how far does i run?"
                              : "The last " + number(left) +
                                    " elements are missing: what is left over after the last whole " +
                                    number(block) + ".",
                    sum.of([=](std::size_t i) { return i < n - left; }),
                    "One thread, many products",
                    {2}});
  }
  return list;
}

/// Other numbers of the arrays in place of products: two factors for a[i] and b[i] each.
constexpr std::pair<double, double> (*other_factors[])(double, double) = {[](double a, double) {
                                                                            return std::pair{a, 1.0};
                                                                          },
                                                                          [](double, double b) {
                                                                            return std::pair{b, 1.0};
                                                                          },
                                                                          [](double a, double b) {
                                                                            return std::pair{a + b, 1.0};
                                                                          },
                                                                          [](double a, double) {
                                                                            return std::pair{a, a};
                                                                          },
                                                                          [](double, double b) {
                                                                            return std::pair{b, b};
                                                                          }};
constexpr const char* not_the_products = "made of products a[i] * b[i], but of other numbers of the arrays.";

template <typename T>
std::vector<WrongSum> other_numbers(const Sum<T>& sum) {
  std::vector<WrongSum> list;
  for (const auto factors : other_factors) {
    list.push_back({"not-the-products",
                    std::string("The result is not ") + not_the_products,
                    [&v = sum.vectors, factors](std::size_t) {
                      ExactSum other;
                      for (std::size_t i = 0; i < v.size(); ++i) {
                        const auto [x, y] = factors(v.a[i], v.b[i]);
                        other.add(x, y);
                      }
                      return other.result();
                    },
                    "The tasks",
                    {2}});
  }
  return list;
}

/// What is wrong with a sum that a kernel of this shape made, if it is known.
template <typename T>
std::optional<WrongSum> known_by_grid(const Sum<T>& sum, Shape shape) {
  for (const auto& mistakes : {missing_blocks<T>, wrong_walks<T>, single_products<T>, wrong_exchanges<T>}) {
    if (const std::optional<WrongSum> made = sum.made_by(mistakes(sum, shape))) return made;
  }
  return {};
}

} // namespace dot_product
