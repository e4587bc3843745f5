// The loop around a measurement, with a stopwatch that shows what it is set to.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "timing/benchmark.hpp"

using namespace warpbook;

namespace {

/// Shows one time after the other, and the last for ever.
struct FakeStopwatch {
  std::vector<double> times;
  std::size_t measured = 0;

  template <typename Work>
  double measure(Work&& work) {
    work();
    return times[std::min(measured++, times.size() - 1)];
  }
};

BenchmarkOptions exactly(int count, int warm_ups = 0) {
  BenchmarkOptions options;
  options.warm_ups = warm_ups;
  options.at_least = options.at_most = count;
  return options;
}

} // namespace

TEST_CASE("warm-ups run and are not among the times") {
  FakeStopwatch stopwatch{{100, 90, 1, 2, 3}, 0};
  CHECK(repeat(
            stopwatch, [] {}, exactly(3, 2)) == std::vector<double>{1, 2, 3});
}

TEST_CASE("steady times end the loop at the least number of repetitions") {
  FakeStopwatch stopwatch{{1}, 0};
  BenchmarkOptions options;
  options.at_least = 11;
  CHECK(repeat(
            stopwatch, [] {}, options)
            .size() == 11);
}

TEST_CASE("fewer than six steady times are not enough to know the median") {
  FakeStopwatch stopwatch{{1}, 0};
  BenchmarkOptions options;
  options.at_least = 2;
  CHECK(repeat(
            stopwatch, [] {}, options)
            .size() == 6);
}

TEST_CASE("unsteady times are repeated until the median is known well enough") {
  std::vector<double> times;
  for (int i = 0; i < 40; ++i) times.push_back(i % 2 == 0 ? 1.0 : 1.1);
  times.push_back(1.05);
  FakeStopwatch stopwatch{times, 0}; // from the 41st on always 1.05, which comes to be the middle
  BenchmarkOptions options;
  options.warm_ups = 0;
  options.uncertainty = 0.001;
  const std::vector<double> seconds = repeat(
      stopwatch, [] {}, options);
  CHECK(seconds.size() > 41);
  CHECK(seconds.size() < 201);
  CHECK(summarise(seconds).uncertainty() <= 0.001);
}

TEST_CASE("times that never settle end at the largest number of repetitions") {
  std::vector<double> times;
  for (int i = 0; i < 100; ++i) times.push_back(i % 2 == 0 ? 1 : 2);
  FakeStopwatch stopwatch{times, 0};
  BenchmarkOptions options;
  options.at_most = 50;
  CHECK(benchmark(
            stopwatch, [] {}, options)
            .count == 50);
}

TEST_CASE("set-up comes before every repetition, and validation after the last") {
  std::string order;
  FakeStopwatch stopwatch{{1}, 0};
  BenchmarkOptions options = exactly(2, 1);
  options.set_up = [&] { order += "s"; };
  options.validate = [&] { order += "v"; };
  repeat(
      stopwatch, [&] { order += "w"; }, options);
  CHECK(order == "swswswv");
}

TEST_CASE("wrong outputs end the measurement without a time") {
  FakeStopwatch stopwatch{{1}, 0};
  BenchmarkOptions options = exactly(3);
  options.validate = [] { throw std::runtime_error("out[7] is wrong"); };
  CHECK_THROWS_WITH(benchmark(
                        stopwatch, [] {}, options),
                    "out[7] is wrong");
}

TEST_CASE("options that time nothing are refused") {
  FakeStopwatch stopwatch{{1}, 0};
  CHECK_THROWS_AS(repeat(
                      stopwatch, [] {}, exactly(0)),
                  std::invalid_argument);
  BenchmarkOptions options = exactly(3);
  options.at_most = 2;
  CHECK_THROWS_AS(repeat(
                      stopwatch, [] {}, options),
                  std::invalid_argument);
  CHECK_THROWS_AS(repeat(
                      stopwatch, [] {}, exactly(3, -1)),
                  std::invalid_argument);
}

TEST_CASE("the host's stopwatch shows at least the time that passed") {
  HostStopwatch stopwatch;
  CHECK(stopwatch.measure([] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }) >= 0.003);
}
