// Speed as a ratio: the judgement with made-up times, and the yardsticks' own results on the simulator.
#include <doctest/doctest.h>

#include <vector>

#include "call/generate.hpp"
#include "fixture.hpp"
#include "grader/compare.hpp"
#include "grader/context.hpp"
#include "grader/yardstick.hpp"
#include "yardsticks/yardsticks.hpp"

using namespace warpbook;

namespace {

SpeedTarget target(double least_ratio) {
  return {.yardstick = Yardstick::copy,
          .useful_bytes = 1e9,
          .least_ratio = least_ratio,
          .read = "the handout, 'Here'"};
}

/// Gives one speed after the other.
struct Attempts {
  std::vector<double> reached;
  std::size_t made = 0;
  Speed operator()() { return {reached.at(made++), 4000}; }
};

Submission yardsticks_on_sim() {
  SubmissionOptions options = toy_options("well_behaved");
  options.module_path = YARDSTICKS_SIM;
  options.contract_path = YARDSTICKS_CONTRACT;
  return Submission(options);
}

} // namespace

TEST_CASE("the first attempt that reaches the ratio ends the item") {
  context().notes.clear();
  context().speeds.clear();
  Attempts attempts{{1000, 2800, 3999}, 0};
  judge_speed(target(0.6), "f", std::ref(attempts));
  CHECK(attempts.made == 2);
  CHECK(context().speeds.size() == 2);
  REQUIRE(context().notes.size() == 1);
  CHECK(context().notes[0] ==
        "f reached 2800 GB/s, the yardstick `copy` 4000 GB/s in the same run: 70.0% (at least "
        "60.0% is asked for).");
}

TEST_CASE(
    "three attempts below the ratio fail with both bandwidths, the ratio, the threshold and where to read") {
  Attempts attempts{{1000, 1200, 800}, 0};
  const Failure failure = failure_of([&] { judge_speed(target(0.6), "f", std::ref(attempts)); });
  CHECK(attempts.made == 3);
  CHECK(has_diagnosis(failure, "too-slow"));
  CHECK(failure.sentence.to_print() ==
        "The result is right, but f reached 1200 GB/s, the yardstick `copy` 4000 GB/s in the same "
        "run: 30.0%. The readable solution stays above 60.0%.");
  CHECK(contains(text_of(failure), "Read on in the handout, 'Here'"));
}

TEST_CASE("a ratio to multiply-adds is reported in operations, not in bytes") {
  SpeedTarget operations = target(0.6);
  operations.yardstick = Yardstick::fma;
  const Failure failure = failure_of([&] { judge_speed(operations, "f", [] { return Speed{1200, 4000}; }); });
  CHECK(contains(failure.sentence.to_print(), "f reached 1200 GFLOP/s, the yardstick `fma` 4000 GFLOP/s"));
  CHECK_FALSE(contains(text_of(failure), "bytes"));
}

TEST_CASE("the multiply-adding yardstick makes all of its multiply-adds, at any length") {
  Submission yardsticks = yardsticks_on_sim();
  for (const std::size_t n : {0, 1, 257}) {
    const Reply reply = yardsticks.call(CONTRACT(yardstick_fma), poisoned<float>(n).returned(),
                                        generated<float>(n, uniform(-1, 1), 1), n);
    expect_samples<float>(reply, 0, [](std::size_t) { return 16.0F; });
  }
}

TEST_CASE("a yardstick of no speed at all is no reason to pass") {
  const Failure failure = failure_of([] { judge_speed(target(0.6), "f", [] { return Speed{1000, 0}; }); });
  CHECK(has_diagnosis(failure, "too-slow"));
}

TEST_CASE("the yardstick of single sectors copies those of its elements, and nothing else") {
  Submission yardsticks = yardsticks_on_sim();
  for (const std::size_t n : {0, 1, 2, 77, 300}) {
    for (const std::size_t distance : {8, 9, 15, 16, 17, 32, 50}) {
      std::vector<bool> is_copied(n * distance, false);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < 8; ++k) is_copied[i * distance / 8 * 8 + k] = true;
      }
      const Distribution values = uniform(-1, 1);
      const Reply reply = yardsticks.call(CONTRACT(yardstick_sectors),
                                          generated<float>(n * distance, constant(2), 1).returned(),
                                          generated<float>(n * distance, values, 1), n, distance);
      expect_samples<float>(reply, 0, [&](std::size_t i) {
        return is_copied[i] ? generated_element<float>(values, 1, i) : 2.0F;
      });
    }
  }
}

TEST_CASE("the yardstick of tiles moves every tile, and turns none") {
  Submission yardsticks = yardsticks_on_sim();
  for (const std::size_t side : {0, 64, 128, 192}) {
    const Distribution values = uniform(-1, 1);
    const Reply reply = yardsticks.call(CONTRACT(yardstick_tiles), poisoned<float>(side * side).returned(),
                                        generated<float>(side * side, values, 1), side);
    std::vector<float> in(side * side), moved(side * side);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = generated_element<float>(values, 1, i);
    for (std::size_t row = 0; row < side; ++row) {
      for (std::size_t column = 0; column < side; ++column) {
        const std::size_t to_row = column / 64 * 64 + row % 64, to_column = row / 64 * 64 + column % 64;
        moved[to_row * side + to_column] = in[row * side + column];
      }
    }
    expect_equal(reply, 0, moved);
  }
}

TEST_CASE("the copying yardsticks copy every element, at any length") {
  Submission yardsticks = yardsticks_on_sim();
  for (const std::size_t n : {0, 1, 3, 4, 5, 1023, 1024, 1025, 4999}) {
    const Distribution values = uniform(-1, 1);
    const auto copies = [&](std::size_t i) { return generated_element<float>(values, 1, i); };
    const auto input = generated<float>(n, values, 1);
    expect_samples<float>(yardsticks.call(CONTRACT(yardstick_copy), poisoned<float>(n).returned(), input, n),
                          0, copies);
    expect_samples<float>(
        yardsticks.call(CONTRACT(yardstick_memcpy), poisoned<float>(n).returned(), input, n), 0, copies);
  }
}

TEST_CASE("the reading yardstick reads every word once, at any length") {
  Submission yardsticks = yardsticks_on_sim();
  for (const std::size_t n : {0, 1, 3, 4, 5, 1023, 8191, 8192, 8193, 20011}) {
    const Reply reply = yardsticks.call(CONTRACT(yardstick_read), inout(std::vector<std::uint64_t>{7}),
                                        generated<std::uint32_t>(n, sequence(1, 1), 1), n);
    CHECK(reply.values<std::uint64_t>(0)[0] == 7 + n * (n + 1) / 2);
  }
}

TEST_CASE("times of the simulator are no speed") {
  Yardsticks yardsticks(toy_options("well_behaved"));
  CHECK_THROWS_WITH(yardsticks.measure(Yardstick::copy, 8000), "this backend measures no times");
}
