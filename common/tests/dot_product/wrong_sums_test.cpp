// Lab 04: its references, and its shapes of wrong sums. Each mistake is made here as a student makes it, thread by thread
// and lane by lane, and has to be known by its own name, and by no other.
#include <doctest/doctest.h>

#include <functional>
#include <set>

#include "rubric.hpp"

using namespace dot_product;

namespace {

constexpr std::size_t n = 5003;
constexpr Shape two_blocks{2, 256}, one_block{1, 128};

/// What a student's kernel does. `step` 0: a thread has one product at most.
struct Code {
  std::function<std::size_t(Shape, std::size_t block, std::size_t t)> start =
      [](Shape shape, std::size_t block, std::size_t t) { return block * shape.threads + t; };
  std::function<std::size_t(Shape)> step = [](Shape shape) { return shape.all(); };
  bool adds = true; ///< its product to the earlier ones
  std::function<float(std::vector<float>)> warp_sum = [](std::vector<float> v) {
    return tree(std::move(v), 16, 1);
  };
  std::function<bool(Shape, std::size_t)> has_block = [](Shape, std::size_t) { return true; };

  /// __shfl_down_sync in a loop from `first` to `last`.
  static float tree(std::vector<float> v, std::size_t first, std::size_t last) {
    for (std::size_t distance = first; distance >= last; distance /= 2) {
      const std::vector<float> before = v;
      for (std::size_t lane = 0; lane < 32; ++lane)
        v[lane] += before[lane + distance < 32 ? lane + distance : lane];
    }
    return v[0];
  }

  float thread_sum(const Vectors<float>& v, Shape shape, std::size_t block, std::size_t t) const {
    float sum = 0;
    for (std::size_t i = start(shape, block, t); i < v.size(); i += step(shape)) {
      sum = v.a[i] * v.b[i] + (adds ? sum : 0);
      if (step(shape) == 0) break;
    }
    return sum;
  }
  float block_sum(const std::vector<float>& of_threads) const {
    std::vector<float> of_warps(32);
    for (std::size_t w = 0; w < of_threads.size() / 32; ++w) {
      const auto first = of_threads.begin() + static_cast<std::ptrdiff_t>(32 * w);
      of_warps[w] = warp_sum({first, first + 32});
    }
    return warp_sum(of_warps);
  }
  float dot(const Vectors<float>& v, Shape shape, bool by_last_block = false) const {
    std::vector<float> partials(shape.threads);
    float sum = 0;
    for (std::size_t block = 0; block < shape.blocks; ++block) {
      if (!has_block(shape, block)) continue;
      std::vector<float> of_threads;
      for (std::size_t t = 0; t < shape.threads; ++t) of_threads.push_back(thread_sum(v, shape, block, t));
      sum += partials[block] = block_sum(of_threads);
    }
    return by_last_block ? block_sum(partials) : sum;
  }
};

/// A diagnosis and the TODOs that may be the cause, in words.
std::string told(const std::string& id, const std::vector<int>& todos) {
  std::string text = id + " at";
  for (const int todo : todos) text += " " + std::to_string(todo);
  return text;
}

/// What the code's sum is known by; nothing if it is not.
std::string known(const Code& code, Shape shape = two_blocks, bool by_last_block = false) {
  const Vectors<float> v = random_vectors<float>(n);
  const auto found =
      known_by_grid(Sum(v, exact_dot(v), code.dot(v, shape, by_last_block), by_last_block), shape);
  return found ? told(found->id, found->todos) : "";
}

float own_values(const std::vector<float>& v) { return 32 * v[0]; } // __shfl_up_sync

} // namespace

TEST_CASE("a right sum is known by nothing, in whatever grid") {
  CHECK(known({}) == "");
  CHECK(known({}, one_block) == "");
  CHECK(known({}, two_blocks, true) == "");
}

TEST_CASE("threads that begin or go on elsewhere are known by their step") {
  CHECK(known({.step = [](Shape shape) { return shape.threads; }}) == told("step-of-a-block", {2}));
  CHECK(known({.step = [](Shape shape) { return shape.blocks; }}) == told("step-too-small", {2}));
  CHECK(known({.step = [](Shape) { return std::size_t{1}; }}) == told("step-too-small", {2}));
  CHECK(known({.step = [](Shape) { return std::size_t{1}; }}, one_block) == told("step-too-small", {2}));
  CHECK(known({.step = [](Shape) { return std::size_t{0}; }}) == told("grid-covers-once", {2}));
  CHECK(known({.step = [](Shape) { return std::size_t{0}; }}, one_block) == told("grid-covers-once", {2}));
  CHECK(known({.adds = false}) == told("last-product-only", {2}));
  const auto of_block = [](Shape, std::size_t, std::size_t t) { return t; };
  CHECK(known({.start = of_block}) == told("same-place-in-every-block", {2}));
  CHECK(known({.start = of_block, .step = [](Shape shape) { return shape.threads; }}) ==
        told("same-place-in-every-block", {2}));
  CHECK(known({.start = of_block}, one_block) == ""); // where it is right
  CHECK(known({.start = [](Shape, std::size_t block, std::size_t t) { return block + t; }}) ==
        told("blocks-overlap", {2}));
}

TEST_CASE(
    "a sum of everything, twice, is that of two blocks which take everything only if they have read it") {
  const Vectors<float> v = random_vectors<float>(n);
  const Exact wanted = exact_dot(v);
  Sum sum(v, wanted, 2 * wanted.sum);
  CHECK(known_by_grid(sum, two_blocks)->id == "same-place-in-every-block");
  sum.products_read = 2 * n;
  CHECK(known_by_grid(sum, two_blocks)->id == "same-place-in-every-block");
  sum.products_read = n;
  CHECK_FALSE(known_by_grid(sum, two_blocks).has_value());
}

TEST_CASE("without exchanges a thread's mistakes are known by the sums of each block's first thread") {
  const auto open = [](Code code) {
    code.warp_sum = [](std::vector<float> v) { return v[0]; };
    const Vectors<float> v = random_vectors<float>(n);
    const Sum sum(v, exact_dot(v), code.dot(v, two_blocks));
    const auto found = sum.made_by(walks_of_first_threads(sum, two_blocks));
    return found ? told(found->id, found->todos) : "";
  };
  CHECK(open({}) == "");
  CHECK(open({.step = [](Shape shape) { return shape.threads; }}) == told("step-of-a-block", {2}));
  CHECK(open({.step = [](Shape) { return std::size_t{0}; }}) == told("grid-covers-once", {2}));
  CHECK(open({.adds = false}) == told("last-product-only", {2}));
  CHECK(open({.start = [](Shape, std::size_t, std::size_t t) { return t; }}) ==
        told("same-place-in-every-block", {2}));
}

TEST_CASE("products that lose what is behind the point are known, whatever the type of the sum") {
  const Vectors<double> v = random_vectors<double>(n);
  const auto found = [&](double value) {
    const Sum sum(v, exact_dot(v), value);
    return sum.made_by(whole_products(sum));
  };
  double of_products = 0, of_factors = 0;
  for (std::size_t i = 0; i < n; ++i) {
    of_products += static_cast<int>(v.a[i] * v.b[i]);
    of_factors += static_cast<int>(v.a[i]) * static_cast<int>(v.b[i]);
  }
  for (const double value : {of_products, of_factors}) {
    REQUIRE(found(value).has_value());
    CHECK(found(value)->id == "low-precision");
  }
  CHECK_FALSE(found(exact_dot(v).sum).has_value());
}

TEST_CASE("exchanges that go wrong are known by what lane 0 gets, of lanes and of warps") {
  for (const Shape shape : {two_blocks, one_block}) {
    CHECK(known({.warp_sum = [](std::vector<float> v) { return Code::tree(v, 16, 2); }}, shape) ==
          told("distance-left-out", {3}));
    CHECK(known({.warp_sum = [](std::vector<float> v) { return Code::tree(v, 8, 1); }}, shape) ==
          told("distance-left-out", {3}));
    CHECK(known({.warp_sum = [](std::vector<float> v) { return Code::tree(v, 32, 1); }}, shape) ==
          told("own-value-added", {3}));
    CHECK(known({.warp_sum = own_values}, shape) == told("own-value-added", {3, 4}));
    CHECK(known({.warp_sum = [](std::vector<float> v) { return v[0]; }}, shape) ==
          told("lanes-not-added", {3}));
    CHECK(known({.warp_sum = [](std::vector<float> v) { return v[0] + v[16] + v[8] + v[4] + v[2] + v[1]; }},
                shape) == told("old-values-exchanged", {3}));
  }
  CHECK(known({.warp_sum = [](std::vector<float> v) {
          for (std::size_t distance = 16; distance > 0; distance /= 2) {
            const float got = v[distance];
            for (float& value : v) value += got;
          }
          return v[0];
        }}) == told("lane-by-number", {3}));
}

TEST_CASE("the last block's exchanges are those of all blocks, once more") {
  CHECK(known({.warp_sum = [](std::vector<float> v) { return Code::tree(v, 16, 2); }}, two_blocks, true) ==
        told("distance-left-out", {3}));
  CHECK(known({.warp_sum = own_values}, two_blocks, true) == told("own-value-added", {3, 5}));
}

TEST_CASE("blocks that are missing are the last block's business, or the addition's") {
  const Shape three_blocks{3, 256};
  const Code first{.has_block = [](Shape, std::size_t block) { return block == 0; }};
  const Code last{.has_block = [](Shape shape, std::size_t block) { return block + 1 == shape.blocks; }};
  const Code all_but_last{
      .has_block = [](Shape shape, std::size_t block) { return block + 1 < shape.blocks; }};
  CHECK(known(first) == told("one-block-only", {4}));
  CHECK(known(last) == told("one-block-only", {4}));
  CHECK(known(first, two_blocks, true) == told("partials-left-out", {5}));
  CHECK(known(all_but_last, three_blocks) == told("last-block-left-out", {4}));
  CHECK(known(all_but_last, three_blocks, true) == told("last-block-left-out", {5}));
}

TEST_CASE("no two mistakes have the same words") {
  std::set<std::string> sentences;
  const Vectors<float> v = random_vectors<float>(n);
  const Sum sum(v, exact_dot(v), 0);
  for (const WarpMistake& mistake : warp_mistakes(sum))
    CHECK(sentences.insert(mistake.message.sentence.to_print()).second);
  for (const Mistake<Exact>& walk : wrong_walks(sum, two_blocks))
    CHECK(sentences.insert(walk.message.sentence.to_print()).second);
}

TEST_CASE("fewer wavefronts than requests need are a mistake of the count") {
  try {
    expect_no_conflicts({.all = 1, .ideal = 2}, message("bank-conflicts/tree", 1, 2), {});
    FAIL("nothing was said");
  } catch (const ItemFailed& failed) {
    CHECK(is_about(failed.failure, "too-few-wavefronts"));
  }
}

TEST_CASE("sums of whole numbers that are made by their place are those of the arrays") {
  constexpr std::size_t many = 100'003;
  const Drawn<float> a{whole_numbers(-16, 16)}, b{repeating(whole_numbers(-4, 4), 101)};
  const Vectors<float> v{"whole numbers", a.values(many), b.values(many)};
  CHECK(static_cast<double>(whole_dot(a, b, 0, many)) == exact_dot(v).sum);
  CHECK(static_cast<double>(whole_dot(a, b, 7, 70'001)) == exact_dot(v, 7, 70'001).sum);
}
