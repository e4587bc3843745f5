#pragma once
/// The shapes of wrong sums of everything: what dot_f32, dot_f64 and dot_deterministic_f32 are recognised by, and the
/// TODO that a student is sent to.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "vectors.hpp"

namespace dot_product {

/// Fails the item, and sends the student to these TODOs, of which one is the cause.
[[noreturn]] inline void fail_at(std::vector<int> todos, std::string diagnosis, std::string sentence,
                                 std::vector<std::string> details) {
  fail(Failure{{std::move(diagnosis)}, std::move(sentence), std::move(details), {}, std::move(todos)});
}

/// Digits of a sum, as many as its type has.
template <typename T>
std::string shown(double value) {
  return sizeof(T) == sizeof(float) ? significant(value, 9) : to_text(value);
}

/// Whether these sums are off as those of a shorter type are: some by more than is allowed, and none by more than such
/// numbers lose.
template <typename T>
bool are_low_precision(std::span<const T> sums, const std::vector<Exact>& wanted) {
  const double short_unit =
      sizeof(T) == sizeof(float) ? 0x1p-11 : 0x1p-24; // u of half precision, and of float
  bool is_wrong = false;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const double off = std::abs(static_cast<double>(sums[k]) - wanted[k].sum);
    // Roundings of many products have both signs, and add up as a random walk does: to their magnitude over the root
    // of their number. More than that is another mistake.
    const double steps = std::sqrt(static_cast<double>(std::max<std::size_t>(wanted[k].count, 1)));
    if (!(off <= std::min(4.0, 16 / steps) * short_unit * wanted[k].magnitude)) return false;
    is_wrong = is_wrong || off > tolerance<T>(wanted[k]);
  }
  return is_wrong;
}
template <typename T>
std::string low_precision_sentence() {
  const bool is_float = sizeof(T) == sizeof(float);
  return std::string("The sum is right to ") + (is_float ? "three" : "seven") +
         " digits and wrong after them: somewhere a " + (is_float ? "float" : "double") +
         " became a shorter number.";
}

/// What a wrong sum of everything is recognised by.
template <typename T>
struct Outcome {
  const Reply& reply;
  const Vectors<T>& vectors;
  const Exact& wanted;
  bool was_right = false; ///< an earlier call of the same runner gave the right sum

  bool is_deterministic() const { return reply.function() == "dot_deterministic_f32"; }
  int writer() const { return is_deterministic() ? 5 : 4; } ///< the TODO that writes the result
  double value() const { return static_cast<double>(reply.template values<T>(0)[0]); }
  double allowed() const { return tolerance<T>(wanted, vectors.exact); }
  std::vector<std::string> lines(std::vector<std::string> further = {}) const {
    std::vector<std::string> all = {
        "*result is " + shown<T>(value()) + ", and " + shown<T>(wanted.sum) + " is expected" +
            (allowed() > 0 ? ", within " + significant(allowed()) : "") + " (" + vectors.what + ")",
        "In the call " + reply.call_text() + "."};
    all.insert(all.end(), further.begin(), further.end());
    return all;
  }
};

/// Nothing was written: the starter, or a function whose pieces are still open.
template <typename T>
void recognise_unwritten(const Outcome<T>& call, const std::string& todos) {
  if (!call.reply.unwritten(0, 0)) return;
  const std::vector<std::string> details = {"n = " + number(call.vectors.size()),
                                            "In the call " + call.reply.call_text() + "."};
  if (call.was_right) {
    fail_at({call.writer()}, "works-once",
            "The first call wrote the right sum, and a further one wrote nothing: what does the function "
            "leave behind that the next call finds?",
            details);
  }
  if (const std::uint64_t atomics = call.reply.counters().global_atomic_lanes; atomics > 0) {
    fail_at({call.writer()}, "nobody-is-last",
            "Nobody wrote *result, although the blocks counted themselves (" +
                counted(atomics, "atomic operation") +
                "): none found that it is the last. What does atomicAdd return to the block that counts "
                "last?",
            details);
  }
  if (call.vectors.size() >= typical) { // the item's TODO: it waits for all parts
    fail(Failure{{"unsolved", "output-unwritten"},
                 call.reply.function() + " left *result exactly as it was. " + todos,
                 {}});
  }
  const std::string nothing = call.vectors.size() == 0
                                  ? "; the sum of no products is 0, and somebody has to write that, too."
                                  : "; the sum is " + shown<T>(call.wanted.sum) + ".";
  fail_at({call.writer()}, "output-unwritten", call.reply.function() + " never wrote *result" + nothing,
          details);
}

// ---- grids -----------------------------------------------------------------------------------------------

/// Blocks and threads of all kernels of a call.
struct Grid {
  std::size_t blocks = 0, threads = 0;
};
inline Grid grid_of(const Reply& reply) {
  Grid grid;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    const std::size_t blocks = std::size_t{kernel.grid[0]} * kernel.grid[1] * kernel.grid[2];
    grid.blocks += blocks;
    grid.threads += blocks * kernel.block[0] * kernel.block[1] * kernel.block[2];
  }
  return grid;
}

/// The blocks of one kernel, and the threads of each.
struct Shape {
  std::size_t blocks = 0, threads = 0;
  std::size_t all() const { return blocks * threads; }
};
/// Of each kernel; none on a GPU.
inline std::vector<Shape> shapes_of(const Reply& reply) {
  std::vector<Shape> shapes;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    shapes.push_back({std::size_t{kernel.grid[0]} * kernel.grid[1] * kernel.grid[2],
                      std::size_t{kernel.block[0]} * kernel.block[1] * kernel.block[2]});
  }
  return shapes;
}

/// How often something was added to the result, as far as it was counted: none on a GPU, and none in
/// dot_deterministic_f32, whose atomics count blocks.
struct Additions {
  std::size_t made = 0, blocks = 0;
  bool are_too_many() const { return made > blocks; }
  std::string text() const {
    return counted(made, "atomic addition") + (made == 1 ? " was" : " were") + " made by " +
           counted(blocks, "block");
  }
};
inline Additions additions_of(const Reply& reply) {
  if (reply.function() == "dot_deterministic_f32") return {};
  return {reply.counters().global_atomic_lanes, grid_of(reply).blocks};
}

// ---- a thread's elements: TODO(2) ------------------------------------------------------------------------

/// A thread that goes through the array in another way: from start(block, thread of the block) on, by `step` elements.
struct Walk {
  std::function<std::size_t(std::size_t, std::size_t)> start;
  std::size_t step = 0;
  std::string diagnosis, sentence;
};

inline std::vector<Walk> wrong_walks(Shape shape) {
  const auto right = [shape](std::size_t block, std::size_t t) { return block * shape.threads + t; };
  const auto of_block = [](std::size_t, std::size_t t) { return t; };
  const auto by_one = [](std::size_t block, std::size_t t) { return block + t; };
  const std::string blocks = counted(shape.blocks, "block");
  const std::string same = "All " + blocks + " take the same products" +
                           "%. Which part of a thread's number tells the blocks apart, and how far is it to "
                           "the next block's first "
                           "element?";
  const auto same_and = [&](const std::string& rest) {
    return std::string(same).replace(same.find('%'), 1, rest);
  };
  const std::string steps = "Products are added several times: each thread goes on by ";
  std::vector<Walk> walks = {
      {of_block, shape.all(), "same-place-in-every-block", same_and(", and leave out the others")},
      {of_block, shape.threads, "same-place-in-every-block",
       same_and(": each of them goes through the whole array")},
      {by_one, shape.all(), "blocks-overlap",
       "Blocks begin only one element apart, so that their threads take each other's products: the first "
       "element of a block is as many elements further as the blocks before it have threads."},
      {right, shape.threads, "step-of-a-block",
       steps + number(shape.threads) + ", the threads of its block, and takes what the other of the " +
           blocks +
           " have there. How far must a thread go on so that the others' elements are left to them?"},
      {right, 1, "step-too-small",
       steps +
           "1, and takes everything behind its first element. How many elements in between belong to other "
           "threads?"},
  };
  if (shape.blocks > 1)
    walks.push_back({right, shape.blocks, "step-too-small",
                     steps + number(shape.blocks) + ", the number of blocks, where the grid has " +
                         number(shape.all()) + " threads: what lies in between belongs to others."});
  return walks;
}

/// The sum with each product as often as threads that walk so take it.
template <typename T>
Exact walked(const Vectors<T>& v, Shape shape, const Walk& walk) {
  std::vector<double> times(v.size());
  for (std::size_t block = 0; block < shape.blocks; ++block) {
    for (std::size_t t = 0; t < shape.threads; ++t) {
      if (const std::size_t first = walk.start(block, t); first < v.size()) times[first] += 1;
    }
  }
  ExactSum sum;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i >= walk.step) times[i] += times[i - walk.step];
    if (times[i] > 0) sum.add(times[i] * v.a[i], v.b[i]);
  }
  return sum.result();
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
  std::string diagnosis, sentence;
};

inline std::string distance_left_out(std::size_t distance) {
  return "The sums of some lanes are missing: of every " + number(2 * distance) +
         " neighbouring lanes the upper " + (distance == 1 ? "one" : number(distance)) +
         ". The exchange over a distance of " + number(distance) + " never took place.";
}

inline std::string lane_0_alone() {
  return "The result has the products of lane 0 of a warp only. The sums of the other lanes have to come to "
         "lane 0 "
         "first: warp_sum, TODO(3).";
}

inline std::vector<WarpMistake> warp_mistakes() {
  constexpr std::size_t half = warp_size / 2;
  std::vector<WarpMistake> list;
  list.push_back({[](const Lanes& v) { return v[0]; }, "lanes-not-added", lane_0_alone()});
  for (std::size_t left_out = half; left_out >= 1; left_out /= 2) {
    list.push_back({[=](const Lanes& v) { return lane_0_after(from_above, v, half, left_out); },
                    "distance-left-out", distance_left_out(left_out)});
  }
  list.push_back({[](const Lanes& v) { return lane_0_after(from_above, v, warp_size); }, "own-value-added",
                  "The result is 4 times the right one, twice for each call of warp_sum: the exchanges begin "
                  "over a distance of 32. No lane is so far away, and a lane with nobody there gets its own "
                  "value back."});
  list.push_back(
      {[](const Lanes& v) { return lane_0_after(from_below, v, half); }, "own-value-added",
       "In every exchange lane 0 got its own value back and added that, as a lane does with nobody "
       "where it looks: nobody lies below lane 0 (__shfl_up_sync), and nobody answers a lane that "
       "makes the exchange alone (do all threads come to block_sum?)."});
  list.push_back(
      {[](const Lanes& v) { return lane_0_after(from_number, v, half); }, "lane-by-number",
       "The lanes got the value of the lane with the number `distance`, as __shfl_sync gives it, and "
       "not of the lane that is `distance` further on than they are."});
  list.push_back(
      {[](const Lanes& v) { return v[0] + v[1] + v[2] + v[4] + v[8] + v[16]; }, "old-values-exchanged",
       "Of each warp the sum has lanes 0, 1, 2, 4, 8 and 16 only: every exchange passed on what the "
       "lanes had in the beginning. Pass on what a lane has added up so far."});
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

// ---- all together ----------------------------------------------------------------------------------------

/// Fails the item if the shape of a wrong sum is known; returns if it is not.
template <typename T>
void recognise(const Outcome<T>& call) {
  const Vectors<T>& v = call.vectors;
  const std::size_t n = v.size();
  const double value = call.value(), allowed = call.allowed();
  const int writer = call.writer();
  const std::string writing = call.is_deterministic() ? "The last block" : "One addition a block";
  const auto with = [&](const std::string& section) { return call.lines({handout(section)}); };
  if (std::isnan(value)) {
    fail_at({writer}, "sum-not-initialised",
            "The result is NaN (not a number): something was added to what happened to be in memory before. "
            "*result and "
            "shared memory hold nothing of use until somebody writes there.",
            with(writing));
  }
  if (n == 0) return;
  if (value == 0) {
    const bool nothing_read =
        submission().backend() == Backend::sim && call.reply.counters().global_load_bytes == 0;
    fail_at(nothing_read ? std::vector{2} : std::vector{2, 3, writer}, "nothing-added",
            nothing_read
                ? "The result is 0, and no thread read anything from the arrays: thread_sum, TODO(2), gives "
                  "every thread the sum of its own products."
                : "The result is 0: no product has come through to it. Either the threads' sums stay 0 "
                  "(thread_sum, TODO(2)), or lane 0 loses its own on the way (warp_sum, TODO(3): is what the "
                  "lane got added to its value?), or they are left out in the end (TODO(" +
                      number(static_cast<std::size_t>(writer)) + ")).",
            with(nothing_read ? "One thread, many products" : "Lanes tell each other"));
  }
  // The bound is for the worst case; a sum of other products that comes out so exactly is no chance.
  const auto is = [&](const Exact& other) {
    return !near(other.sum, call.wanted.sum, allowed) &&
           near(value, other.sum, tolerance<T>(other, v.exact) / 32);
  };
  const auto summed = [&](auto is_in) { return is(exact_dot_where(v, is_in)); };
  for (const Shape shape : shapes_of(call.reply)) {
    const std::size_t blocks = shape.blocks, threads = shape.threads;
    if (blocks > 1) {
      const auto of_block = [=](std::size_t i) { return i / threads % blocks; };
      if (call.is_deterministic() && summed([=](std::size_t i) { return of_block(i) == 0; })) {
        fail_at(
            {writer}, "partials-left-out",
            "The result is the partial sum of the first block alone, of " + number(blocks) +
                ": those of the others are missing. Which of them do the threads of the last block take, and "
                "do all these threads' sums come together?",
            with(writing));
      }
      for (const std::size_t block : {std::size_t{0}, blocks - 1}) {
        if (summed([=](std::size_t i) { return of_block(i) == block; })) {
          fail_at({writer}, "one-block-only",
                  std::string("The result is the sum of ") + (block == 0 ? "the first" : "the last") +
                      " block alone, of " + number(blocks) +
                      ". Each block has to add its own to what is there.",
                  with(writing));
        }
      }
      if (summed([=](std::size_t i) { return of_block(i) != blocks - 1; })) {
        fail_at({writer}, "last-block-left-out",
                "The products of the last block, of " + number(blocks) + ", are missing.", with(writing));
      }
      if (blocks > threads && summed([=](std::size_t i) { return of_block(i) < threads; })) {
        fail_at({writer}, "partials-left-out",
                "The result has the sums of the first " + number(threads) + " blocks only, of " +
                    number(blocks) +
                    ": there are more partial sums than the block that adds them has threads.",
                with("The last block"));
      }
    }
    for (const Walk& walk : wrong_walks(shape)) {
      if (is(walked(v, shape, walk)))
        fail_at({2}, walk.diagnosis, walk.sentence, with("One thread, many products"));
    }
    if (n > shape.all() && is(exact_dot(v, 0, shape.all()))) {
      fail_at({2}, "grid-covers-once",
              "The result has the first " + number(shape.all()) +
                  " products, one for each thread of the grid. There are more elements than threads.",
              with("One thread, many products"));
    }
    if (n > shape.all() && is(exact_dot(v, n - shape.all(), n))) {
      fail_at({2}, "last-product-only",
              "The result has the last " + number(shape.all()) +
                  " products, one for each thread of the grid: a thread forgets its earlier ones when it "
                  "takes the "
                  "next. Add to `sum`.",
              with("One thread, many products"));
    }
    if (threads % warp_size == 0 && threads <= warp_size * warp_size) {
      for (const WarpMistake& mistake : warp_mistakes()) {
        const bool in_last_block = call.is_deterministic() && is(exchanged(v, shape, mistake, true));
        if (!in_last_block && !is(exchanged(v, shape, mistake, false))) continue;
        const bool is_alone = mistake.sentence.find("alone") != std::string::npos;
        fail_at(is_alone ? std::vector{3, writer} : std::vector{3}, mistake.diagnosis, mistake.sentence,
                with("Lanes tell each other"));
      }
    }
  }
  for (std::size_t width = warp_size; width <= 1024; width *= 2) {
    if (n > width && summed([width](std::size_t i) { return i % width == 0; })) {
      fail_at({3}, "lanes-not-added", lane_0_alone(), with("Lanes tell each other"));
    }
    if (width > warp_size && n > width && summed([width](std::size_t i) { return i % width < warp_size; })) {
      fail_at({writer}, "one-warp-only",
              "The result has the products of the first warp of each block only, of blocks of " +
                  number(width) + " threads. The other warps' sums are lost: block_sum adds them up.",
              with("One addition a block"));
    }
  }
  for (std::size_t distance = warp_size / 2; distance >= 1 && n > warp_size; distance /= 2) {
    if (summed([distance](std::size_t i) { return i / distance % 2 == 0; }))
      fail_at({3}, "distance-left-out", distance_left_out(distance), with("Lanes tell each other"));
  }
  for (std::size_t block = 1; block <= 8192; block *= 2) {
    const std::size_t left = block == 1 ? 1 : n % block;
    if (n > 1 && left != 0 && is(exact_dot(v, 0, n - left))) {
      fail_at({2}, "tail-left-out",
              left == 1 ? "The last element is missing: how far does i run?"
                        : "The last " + number(left) +
                              " elements are missing: what is left over after the last whole " +
                              number(block) + ".",
              with("One thread, many products"));
    }
  }
  const std::string with_n = "With n = " + number(n) + " ";
  const Additions additions = additions_of(call.reply);
  for (const std::size_t times : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    const auto factor = static_cast<double>(times);
    // Within an eighth of the bound, and that far below the sum itself: other sums seldom come so close to a multiple.
    // Where additions are counted and there are too many, their number has to be the multiple, too.
    if (!(std::abs(call.wanted.sum) > 16 * allowed) ||
        !near(value, factor * call.wanted.sum, factor * allowed / 8))
      continue;
    const std::string multiple = with_n + "the result is " + number(times) + " times the right one";
    if (additions.are_too_many()) {
      if (additions.made != times * additions.blocks) continue;
      fail_at({writer}, "added-more-than-once",
              multiple + ": the same sum was added " + number(times) + " times (" + additions.text() +
                  "). Who adds, and how often?",
              with("One addition a block"));
    }
    fail_at(
        {3, writer}, "added-more-than-once",
        multiple +
            (additions.made > 0 ? ", although no block added to it more than once (" + additions.text() + ")"
                                : "") +
            ". Either the same sum is added by several threads, or it is doubled in the exchanges, where a "
            "lane with nobody `distance` further on gets its own value back.",
        with("Lanes tell each other"));
  }
  double of_a = 0, of_b = 0, of_squares = 0, of_squares_of_b = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = v.a[i], b = v.b[i];
    of_a += a;
    of_b += b;
    of_squares += a * a;
    of_squares_of_b += b * b;
  }
  if (n > 1 && (near(value, of_a, allowed / 64) || near(value, of_b, allowed / 64) ||
                near(value, of_a + of_b, allowed / 64) || near(value, of_squares, allowed) ||
                near(value, of_squares_of_b, allowed))) {
    fail_at({2}, "not-the-products",
            "The result is not made of products a[i] * b[i], but of other numbers of the arrays.",
            with("The tasks"));
  }
  const auto values = call.reply.template values<T>(0);
  if (are_low_precision<T>(values, {call.wanted}))
    fail_at({2, 3, writer}, "low-precision", low_precision_sentence<T>(), with("How far the sum may be off"));
  if (additions.are_too_many()) {
    fail(Failure{{"added-more-than-once", "atomics-not-needed"},
                 with_n + "the result is wrong, and " + additions.text() +
                     ". block_sum gives the block's sum to thread 0 alone; what the other threads get from "
                     "it is no part of the result. Which threads of a block add?",
                 with("One addition a block"),
                 {},
                 {writer}});
  }
}

/// Fails the item for a wrong sum of no known shape. Of the first question the sentence is the same whatever the type, so
/// that a terminal tells it once; the numbers are below it.
template <typename T>
[[noreturn]] void fail_unknown(const Outcome<T>& call) {
  const Vectors<T>& v = call.vectors;
  const double value = call.value(), allowed = call.allowed(), off = std::abs(value - call.wanted.sum);
  const std::string with_n = "With n = " + number(v.size()) + " ";
  const std::vector<int> todos = {2, 3, call.writer()};
  if (v.size() == 0) {
    fail_at({call.writer()}, "wrong-result",
            with_n + "*result became " + shown<T>(value) +
                "; the sum of no products is 0. What is in *result before the first addition?",
            call.lines());
  }
  if (v.size() == 1) {
    fail_at(todos, "wrong-result",
            with_n + "*result became " + shown<T>(value) + "; right is a[0] * b[0] = " + to_text(v.a[0]) +
                " * " + to_text(v.b[0]) + " = " + shown<T>(call.wanted.sum) + ".",
            call.lines());
  }
  if (off <= 8 * allowed) {
    fail_at(todos, "wrong-result",
            with_n + "*result is off by " + rounded(off / allowed) + " times what the contract allows.",
            call.lines({handout("How far the sum may be off")}));
  }
  if (v.size() == typical) {
    fail_at(todos, "wrong-result", with_n + "*result is wrong, by far more than roundings can make it.",
            call.lines());
  }
  fail_at(todos, "wrong-result",
          with_n + "*result became " + shown<T>(value) + "; right is " + shown<T>(call.wanted.sum) + " (" +
              v.what + ").",
          call.lines());
}

} // namespace dot_product
