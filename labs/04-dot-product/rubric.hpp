#pragma once
/// What the rubrics of lab 04's tasks share: a reference that floats cannot match by luck, inputs of every kind, and
/// the shapes of wrong sums.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "grader/grader.hpp"
#include "lab.hpp"

namespace dot_product {

using namespace warpbook;

constexpr std::size_t warp_size = 32;
constexpr std::size_t sector = 32; ///< bytes
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
  std::size_t size() const { return a.size(); }
};

template <typename T>
std::vector<T> random_values(std::size_t n, double low = -100, double high = 100) {
  if constexpr (sizeof(T) == sizeof(float))
    return random_floats(n, static_cast<float>(low), static_cast<float>(high));
  else
    return random_doubles(n, low, high);
}

template <typename T>
Vectors<T> random_vectors(std::size_t n) {
  return {"random values", random_values<T>(n), random_values<T>(n)};
}

/// Whole numbers from -16 to 16: of 2^24 random products the sum stays far below 2^24, so that no addition rounds, and a
/// single product that is missing shows.
template <typename T>
Vectors<T> whole_vectors(std::size_t n) {
  const auto values = [n] {
    const std::vector<int> whole = random_integers<int>(n, -16, 16);
    return std::vector<T>(whole.begin(), whole.end());
  };
  return {"whole numbers", values(), values(), true};
}

/// One value everywhere, sorted values, and values whose products all but cancel. Sums of the one value's products are
/// exact: a chain of them would else be rounded the same way at every step, and whether it is too long is asked by an
/// item of its own.
template <typename T>
std::vector<Vectors<T>> special_vectors(std::size_t n) {
  std::vector<Vectors<T>> list;
  list.push_back({"one value everywhere", std::vector<T>(n, T(3)), std::vector<T>(n, T(1.25))});
  Vectors<T> sorted{"sorted values", random_values<T>(n), random_values<T>(n)};
  std::sort(sorted.a.begin(), sorted.a.end());
  std::sort(sorted.b.begin(), sorted.b.end());
  list.push_back(std::move(sorted));
  Vectors<T> cancelling{"products that cancel", random_values<T>(n, 1, 2), random_values<T>(n, 1, 2)};
  for (std::size_t i = 0; i + 1 < n;
       i += 2) { // large, with opposite signs, and far apart: the tree meets them late
    const std::size_t partner = n - 1 - i;
    if (partner <= i) break;
    cancelling.a[i] = T(4096) * cancelling.a[i];
    cancelling.a[partner] = -cancelling.a[i];
    cancelling.b[partner] = cancelling.b[i];
  }
  list.push_back(std::move(cancelling));
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
class ExactSum {
public:
  void add(double x, double y) {
    const double product = x * y;
    const double product_error = std::fma(x, y, -product);
    const double sum = sum_ + product;
    const double part = sum - sum_;
    const double sum_error = (sum_ - (sum - part)) + (product - part);
    sum_ = sum;
    error_ += product_error + sum_error;
    magnitude_ += std::abs(product);
    ++count_;
  }
  Exact result() const { return {sum_ + error_, magnitude_, count_}; }

private:
  double sum_ = 0, error_ = 0, magnitude_ = 0;
  std::size_t count_ = 0;
};

template <typename T>
Exact exact_dot(const Vectors<T>& v, std::size_t first, std::size_t last) {
  ExactSum sum;
  for (std::size_t i = first; i < last; ++i) sum.add(v.a[i], v.b[i]);
  return sum.result();
}
/// Of the elements that `is_in(i)` names.
template <typename T, typename IsIn>
Exact exact_dot_where(const Vectors<T>& v, IsIn is_in) {
  ExactSum sum;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (is_in(i)) sum.add(v.a[i], v.b[i]);
  }
  return sum.result();
}

/// A product that goes through at most d additions takes along at most d + 1 roundings, its own included, each of a
/// factor within 1 +- u, u = eps / 2. So the sum, whatever the order, is off by at most (d + 1) u / (1 - (d + 1) u)
/// times the magnitude (Higham, Accuracy and Stability of Numerical Algorithms, chapters 3 and 4). The contract
/// allows d + 1 = 32 (1 + log2(k)): 288 for the 256 products of a block, 670 for a million. A tree needs 1 + log2(k);
/// the readable solution at a million 8 products of a thread, 5 lanes, 3 steps over the warps and 488 blocks.
/// Half precision, with its u of 2^-11, is 8192 times worse.
template <typename T>
double tolerance(const Exact& wanted, bool exact = false) {
  if (wanted.count == 0 || exact) return 0;
  const double eps = std::numeric_limits<T>::epsilon();
  return 16 * eps * (1 + std::log2(static_cast<double>(wanted.count))) * wanted.magnitude;
}

inline bool near(double value, double wanted, double tolerance) {
  return std::abs(value - wanted) <= tolerance;
}

// ---- wrong results -------------------------------------------------------------------------------------

/// Fails the item if value has the digits of a shorter type: off by what such numbers lose, and not by more.
template <typename T>
void recognise_low_precision(double value, const Exact& wanted, const std::vector<std::string>& where) {
  if (wanted.count == 0 || !std::isfinite(value)) return;
  const double off = std::abs(value - wanted.sum);
  const bool is_float = sizeof(T) == sizeof(float);
  const double short_unit = is_float ? 0x1p-11 : 0x1p-24; // u of half precision, and of float
  // Roundings of many products have both signs, and add up as a random walk does: to their magnitude over the root of
  // their number. More than that is another mistake.
  const double steps = std::sqrt(static_cast<double>(wanted.count));
  const double lost = std::min(4.0, 16 / steps) * short_unit * wanted.magnitude;
  if (!(off > tolerance<T>(wanted)) || off > lost) return;
  fail("low-precision",
       std::string("The sum is right to ") + (is_float ? "three" : "seven") +
           " digits and wrong after them: somewhere a " + (is_float ? "float" : "double") +
           " became a shorter number.",
       where);
}

/// What a wrong sum of everything is recognised by.
template <typename T>
struct Outcome {
  const Reply& reply;
  const Vectors<T>& vectors;
  const Exact& wanted;
  bool was_right = false; ///< an earlier call of the same runner gave the right sum
};

/// Nothing was written: the starter, or a function whose pieces are still open.
template <typename T>
void recognise_unwritten(const Outcome<T>& call, const std::string& todos) {
  if (!call.reply.unwritten(0, 0)) return;
  const std::vector<std::string> details = {"n = " + number(call.vectors.size()),
                                            "In the call " + call.reply.call_text() + "."};
  if (call.was_right) {
    fail("works-once",
         "The first call wrote the right sum, and a further one wrote nothing: what does the function leave "
         "behind that "
         "the next call finds?",
         details);
  }
  if (const std::uint64_t atomics = call.reply.counters().global_atomic_lanes; atomics > 0) {
    fail("nobody-is-last",
         "Nobody wrote *result, although the blocks counted themselves (" +
             counted(atomics, "atomic operation") +
             "): none found that it is the last. What does atomicAdd return to the block that counts last?",
         details);
  }
  if (call.vectors.size() >= typical) {
    fail(Failure{{"unsolved", "output-unwritten"},
                 call.reply.function() + " left *result exactly as it was. " + todos,
                 {}});
  }
  fail("output-unwritten",
       call.reply.function() + " never wrote *result; the sum is " + to_text(call.wanted.sum) + ".", details);
}

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

/// How often something was added to the result, as far as it was counted: none on a GPU, and none in
/// dot_deterministic_f32, whose atomics count blocks.
struct Additions {
  std::size_t made = 0, blocks = 0;
  bool are_too_many() const { return made > blocks; }
  std::string text() const {
    return number(made) + " atomic additions were made by " + counted(blocks, "block");
  }
};
inline Additions additions_of(const Reply& reply) {
  if (reply.function() == "dot_deterministic_f32") return {};
  return {reply.counters().global_atomic_lanes, grid_of(reply).blocks};
}

/// Fails the item if the shape of a wrong sum is known; returns if it is not.
template <typename T>
void recognise(const Outcome<T>& call) {
  const Vectors<T>& v = call.vectors;
  const std::size_t n = v.size();
  const double value = static_cast<double>(call.reply.template values<T>(0)[0]);
  const double allowed = tolerance<T>(call.wanted, v.exact);
  const std::vector<std::string> where = {"*result is " + to_text(value) + ", and " +
                                              to_text(call.wanted.sum) + " is expected, within " +
                                              to_text(allowed) + " (" + v.what + ")",
                                          "In the call " + call.reply.call_text() + "."};
  const auto with = [&](const std::string& section) {
    std::vector<std::string> lines = where;
    lines.push_back(handout(section));
    return lines;
  };
  if (std::isnan(value)) {
    fail("sum-not-initialised",
         "The result is NaN (not a number): something was added to what happened to be in memory before. "
         "*result and "
         "shared memory hold nothing of use until somebody writes there.",
         with("One addition a block"));
  }
  if (n == 0) return;
  if (value == 0) {
    fail("nothing-added",
         "The result is 0: nobody added anything to it. thread_sum, TODO(2), gives every thread the sum of "
         "its own products.",
         with("One thread, many products"));
  }
  // The bound is for the worst case; a sum of other products that comes out so exactly is no chance.
  const auto is = [&](const Exact& other) {
    return !near(other.sum, call.wanted.sum, allowed) &&
           near(value, other.sum, tolerance<T>(other, v.exact) / 8);
  };
  const auto summed = [&](auto is_in) { return is(exact_dot_where(v, is_in)); };
  for (std::size_t width = warp_size; width <= 1024; width *= 2) {
    if (n > width && summed([width](std::size_t i) { return i % width == 0; })) {
      fail("lanes-not-added",
           "The result has every " + number(width) + (width == warp_size ? "nd" : "th") +
               " product only: those of lane 0 of a warp" +
               (width == warp_size ? "." : ", of one warp a block.") +
               " The sums of the other lanes have to come to lane 0 first: warp_sum, TODO(3).",
           with("Lanes tell each other"));
    }
    if (width > warp_size && n > width && summed([width](std::size_t i) { return i % width < warp_size; })) {
      fail("one-warp-only",
           "The result has the products of the first warp of each block only, of blocks of " + number(width) +
               " threads. The other warps' sums are lost.",
           with("One addition a block"));
    }
  }
  for (std::size_t distance = warp_size / 2; distance >= 1 && n > warp_size; distance /= 2) {
    if (summed([distance](std::size_t i) { return i / distance % 2 == 0; })) {
      fail("distance-left-out",
           "The products of some lanes are missing: of every " + number(2 * distance) +
               " neighbouring ones the upper " + number(distance) + ". The exchange over a distance of " +
               number(distance) + " never took place.",
           with("Lanes tell each other"));
    }
  }
  for (const simt::KernelRecord& kernel : call.reply.kernels()) {
    const std::size_t threads = std::size_t{kernel.block[0]} * kernel.block[1] * kernel.block[2];
    const std::size_t blocks = std::size_t{kernel.grid[0]} * kernel.grid[1] * kernel.grid[2];
    if (blocks > 1) {
      for (const std::size_t block : {std::size_t{0}, blocks - 1}) {
        if (summed([=](std::size_t i) { return i / threads % blocks == block; })) {
          fail("one-block-only",
               std::string("The result is the sum of ") + (block == 0 ? "the first" : "the last") +
                   " block alone, of " + number(blocks) + ". Each block has to add its own to what is there.",
               with("One addition a block"));
        }
      }
      if (summed([=](std::size_t i) { return i / threads % blocks != blocks - 1; })) {
        fail("last-block-left-out", "The products of the last block, of " + number(blocks) + ", are missing.",
             with("The last block"));
      }
      if (blocks > threads && summed([=](std::size_t i) { return i / threads % blocks < threads; })) {
        fail("partials-left-out",
             "The result has the sums of the first " + number(threads) + " blocks only, of " +
                 number(blocks) + ": there are more partial sums than the block that adds them has threads.",
             with("The last block"));
      }
      const auto taken = [&](auto times) { // each product as often as `times` says
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i)
          sum += static_cast<double>(times(i)) * static_cast<double>(v.a[i]) * v.b[i];
        return near(value, sum, static_cast<double>(blocks) * allowed) &&
               !near(sum, call.wanted.sum, static_cast<double>(blocks) * allowed);
      };
      if (taken([=](std::size_t i) { return std::min(i / threads + 1, blocks); })) {
        fail("step-of-a-block",
             "Products are added by several blocks: from its own place on, each of the " + number(blocks) +
                 " blocks takes everything. How far must a thread go on so that the others' elements are "
                 "left to them?",
             with("One thread, many products"));
      }
      if (taken([=](std::size_t i) { return i % (blocks * threads) < threads ? blocks : 0; })) {
        fail("same-place-in-every-block",
             "All " + number(blocks) +
                 " blocks take the same products, and leave out the others. Which part of a thread's number "
                 "tells the blocks apart?",
             with("One thread, many products"));
      }
      if (n > blocks * threads && is(exact_dot(v, 0, blocks * threads))) {
        fail("grid-covers-once",
             "The result has the first " + number(blocks * threads) +
                 " products, one for each thread of the grid. There are more elements than threads.",
             with("One thread, many products"));
      }
    }
  }
  for (std::size_t block = 4; block <= 8192; block *= 2) {
    if (n % block != 0 && is(exact_dot(v, 0, n - n % block))) {
      fail("tail-left-out",
           "The last elements are missing, " + number(n % block) +
               " in number: what is left over after the last whole " + number(block) + ".",
           with("One thread, many products"));
    }
  }
  const std::string with_n = "With n = " + number(n) + " ";
  for (const std::size_t times : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    const auto factor = static_cast<double>(times);
    // Within an eighth of the bound, and that far below the sum itself: other sums seldom come so close to a multiple.
    // Where additions are counted and there are too many, their number has to be the multiple, too.
    const Additions additions = additions_of(call.reply);
    if (std::abs(call.wanted.sum) > 16 * allowed &&
        near(value, factor * call.wanted.sum, factor * allowed / 8) &&
        (!additions.are_too_many() || additions.made == times * additions.blocks)) {
      fail("added-more-than-once",
           with_n + "the result is " + number(times) + " times the right one: the same sum was added " +
               number(times) + " times" + (additions.are_too_many() ? " (" + additions.text() + ")" : "") +
               ". Who adds, and how often?",
           with("One addition a block"));
    }
  }
  double of_a = 0, of_both = 0, of_squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    of_a += v.a[i];
    of_both += static_cast<double>(v.a[i]) + static_cast<double>(v.b[i]);
    of_squares += static_cast<double>(v.a[i]) * v.a[i];
  }
  if (n > 1 && (near(value, of_a, allowed / 64) || near(value, of_both, allowed / 64) ||
                near(value, of_squares, allowed))) {
    fail("not-the-products",
         "The result is not made of products a[i] * b[i], but of other numbers of the arrays.",
         with("The tasks"));
  }
  recognise_low_precision<T>(value, call.wanted, with("How far the sum may be off"));
  if (const Additions additions = additions_of(call.reply); additions.are_too_many()) {
    fail(Failure{{"added-more-than-once", "atomics-not-needed"},
                 with_n + "the result is wrong, and " + additions.text() +
                     ". block_sum gives the block's sum to thread 0 alone; what the other threads get from "
                     "it is no part of the result. Which threads of a block add?",
                 with("One addition a block")});
  }
}

/// How a sum is asked for.
struct How {
  Schedule schedule = Schedule::forward;
  std::size_t shift_a = 0, shift_b = 0; ///< bytes past a 256-byte boundary
  int repetitions = 1;
  bool was_right = false;
};

/// Fails the item for a wrong sum of no known shape. The sentence has the call: of several failures of a TODO a terminal
/// shows the details of the first only.
template <typename T>
[[noreturn]] void fail_unknown(const Outcome<T>& call) {
  fail("wrong-result",
       "In the call " + call.reply.call_text() + ", *result became " +
           to_text(call.reply.template values<T>(0)[0]) + "; right is " + to_text(call.wanted.sum) +
           ", within " + to_text(tolerance<T>(call.wanted, call.vectors.exact)) + " (" + call.vectors.what +
           ").",
       {handout("How far the sum may be off")});
}

/// Asks for the dot product and requires it within the contract's bound. `todos` says which parts make it.
template <typename T, typename F>
Reply dot_and_check(F function, const Vectors<T>& v, const How& how, const std::string& todos) {
  Reply reply = submission().call(
      CallOptions{.schedule = how.schedule, .repetitions = how.repetitions, .sites = true}, function,
      out<T>(1), in(v.a).shifted(how.shift_a), in(v.b).shifted(how.shift_b), v.size());
  const Exact wanted = exact_dot(v, 0, v.size());
  if (near(static_cast<double>(reply.values<T>(0)[0]), wanted.sum, tolerance<T>(wanted, v.exact)))
    return reply;
  const Outcome<T> call{reply, v, wanted, how.was_right};
  recognise_unwritten(call, todos);
  recognise(call);
  fail_unknown(call);
}

/// The first question: several blocks and a tail, and the smallest size that goes wrong if they do. Sums of no shape
/// that would say what is wrong have that size in their sentence.
template <typename T, typename F>
void check_typical(F function, const std::string& todos) {
  std::size_t smallest = typical;
  const auto ask = [&](std::size_t n) {
    try {
      dot_and_check<T>(function, random_vectors<T>(n), {.schedule = schedules().front()}, todos);
    } catch (const ItemFailed&) {
      smallest = n;
      throw;
    }
  };
  try {
    check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1025, 2049, 4097}, ask);
  } catch (ItemFailed& failed) {
    const std::string& diagnosis = failed.failure.diagnoses.front();
    if (smallest < typical && (diagnosis == "wrong-result" || diagnosis == "added-more-than-once"))
      failed.failure.sentence += " The smallest size found that goes wrong is n = " + number(smallest) + ".";
    throw;
  }
}

/// Every length, alignment, kind of input and schedule; and every call again, for a function may leave something behind.
template <typename T, typename F>
void check_everywhere(F function, const std::string& todos) {
  const auto ask = [&](const Vectors<T>& v, const How& how) { dot_and_check<T>(function, v, how, todos); };
  check_typical<T>(function, todos);
  ask(whole_vectors<T>(typical), {.schedule = schedules().front(), .was_right = true});
  ask(whole_vectors<T>(typical), {.schedule = schedules().front(), .repetitions = 3, .was_right = true});
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes()) ask(random_vectors<T>(n), {.schedule = schedule});
  }
  for (const auto& [a, b] : {std::pair{1, 1}, std::pair{1, 0}, std::pair{0, 3}, std::pair{3, 2}}) {
    for (const std::size_t n : {1, 2, 3, 5, 8, 67, 1025}) {
      ask(random_vectors<T>(n),
          {.schedule = schedules().back(), .shift_a = a * sizeof(T), .shift_b = b * sizeof(T)});
    }
  }
  for (const Vectors<T>& v : special_vectors<T>(typical)) ask(v, {.schedule = schedules().front()});
  const bool is_cuda = submission().backend() == Backend::cuda;
  ask(whole_vectors<T>(is_cuda ? large : large_on_sim), {.schedule = schedules().back()});
  if (!is_cuda) return;
  ask(whole_vectors<T>(real + 3), {.shift_a = sizeof(T), .shift_b = sizeof(T)});
  ask(whole_vectors<T>(real + 3), {.shift_b = sizeof(T)});
}

/// The sum of so many generated whole numbers, by all of this machine's processors.
inline std::int64_t sum_of_generated(const Distribution& values, std::uint64_t seed, std::size_t n) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::int64_t> sums(workers);
  {
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < workers; ++w) {
      threads.emplace_back([&, w] {
        for (std::size_t i = n / workers * w; i < (w + 1 == workers ? n : n / workers * (w + 1)); ++i)
          sums[w] += generated_element<std::int64_t>(values, seed, i);
      });
    }
  }
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

/// More elements than 32 bits count: ones, times small whole numbers of both signs, whose sum needs no rounding.
template <typename T, typename F>
void check_far_elements(F function) {
  const std::size_t n = (std::size_t{1} << 32) + (std::size_t{1} << 20) + 5;
  if (!has_room_for(2 * n * sizeof(T))) return;
  const Distribution values = whole_numbers(-4, 4);
  const std::uint64_t seed = next_seed();
  const Reply reply =
      submission().call(CallOptions{.timeout = std::chrono::seconds(60)}, function, poisoned<T>(1).returned(),
                        generated<T>(n, constant(1), 1), generated<T>(n, values, seed), n);
  const auto value = static_cast<double>(reply.template values<T>(0)[0]);
  const auto wanted = static_cast<double>(sum_of_generated(values, seed, n));
  if (value == wanted) return;
  fail("index-overflow",
       "The sum of " + number(n) + " whole numbers is " + to_text(value) + "; right is " + to_text(wanted) +
           ". Shorter arrays come out right: here the index needs more than 32 bits.",
       {"In the call " + reply.call_text() + ".", handout("One thread, many products")});
}

/// Sectors of two arrays of so many bytes each, on 256-byte boundaries.
constexpr std::size_t sectors_of_both(std::size_t bytes_of_each) {
  return 2 * ((bytes_of_each + sector - 1) / sector);
}

/// Requires that the arrays, of so many bytes each, were read once: all their bytes, in no more sectors than they lie
/// in. A sixteenth more may be read besides: what blocks tell each other.
inline void expect_read_once(const Reply& reply, std::size_t bytes_of_each) {
  const simt::Counters& c = reply.counters();
  const std::size_t bytes = 2 * bytes_of_each, further = bytes / 16;
  const std::size_t enough = sectors_of_both(bytes_of_each);
  std::vector<std::string> lines = costly_lines(reply, &simt::Counters::global_load_sectors,
                                                &simt::Counters::global_load_requests, "sectors");
  lines.insert(lines.begin(), number(c.global_load_requests) + " requests, " + number(c.global_load_sectors) +
                                  " sectors of 32 bytes and " + number(c.global_load_bytes) +
                                  " bytes read; the arrays have " + number(bytes) + " bytes");
  lines.push_back("In the call " + reply.call_text() + ".");
  lines.push_back(handout("One thread, many products"));
  if (c.global_load_bytes > bytes + further) {
    fail("read-again",
         "The sum is right, but " + number(c.global_load_bytes) + " bytes were read where the arrays have " +
             number(bytes) +
             ". Does more than one thread read the same element, or are there sums that go through global "
             "memory?",
         lines);
  }
  if (c.global_load_sectors > enough + further / sector) {
    fail("uncoalesced",
         "The sum is right, but the lanes of a warp are not on neighbouring elements at the same time: " +
             number(c.global_load_sectors) + " sectors were read where " + number(enough) + " are enough.",
         lines);
  }
  expect_between("bytes read", static_cast<double>(c.global_load_bytes), static_cast<double>(bytes),
                 static_cast<double>(bytes + further), "too-few-bytes",
                 "Fewer bytes were read than the arrays have.");
}

} // namespace dot_product
