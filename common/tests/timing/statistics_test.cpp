// Medians, intervals and bandwidths.
#include <doctest/doctest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "timing/statistics.hpp"

using namespace warpbook;

TEST_CASE("the median is the middle value, whatever the order") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median({7}) == 7);
  CHECK_THROWS_AS(median({}), std::invalid_argument);
}

TEST_CASE("the interval's rank is that of the binomial distribution") {
  // Tables of nonparametric statistics give these for 95% confidence.
  const std::pair<std::size_t, std::size_t> ranks[] = {{1, 0},   {5, 0},   {6, 1},    {8, 1},     {9, 2},
                                                       {11, 2},  {12, 3},  {15, 4},   {20, 6},    {25, 8},
                                                       {30, 10}, {50, 18}, {100, 40}, {1000, 469}};
  for (const auto& entry : ranks) {
    CAPTURE(entry.first);
    CHECK(median_interval_rank(entry.first) == entry.second);
  }
}

TEST_CASE("the interval leaves as many values out on either side as its rank allows") {
  std::vector<double> values;
  for (int i = 20; i >= 1; --i) values.push_back(i);
  const Interval interval = median_interval(values);
  CHECK(interval.low == 6);
  CHECK(interval.high == 15);
}

TEST_CASE("too few values for an interval give all of their range") {
  const Interval interval = median_interval({3, 1, 9});
  CHECK(interval.low == 1);
  CHECK(interval.high == 9);
}

TEST_CASE("the interval holds the true median about 19 times in 20, also for lopsided values") {
  std::mt19937 random(7);
  std::exponential_distribution<double> distribution(1); // its median is log 2
  int held = 0;
  const int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(25);
    for (double& value : values) value = distribution(random);
    const Interval interval = median_interval(values);
    if (interval.low <= std::log(2.0) && std::log(2.0) <= interval.high) ++held;
  }
  // Exactly 0.9567 for 25 values; a standard deviation of the count is 13.
  CHECK(held > 3760);
  CHECK(held < 3895);
}

TEST_CASE("a summary says where the middle half lies, and a late value does not move it") {
  const Summary summary = summarise({1, 2, 3, 4, 5, 6, 7, 8, 1000});
  CHECK(summary.count == 9);
  CHECK(summary.median == 5);
  CHECK(summary.spread == 2);
  CHECK(summary.smallest == 1);
  CHECK(summary.largest == 1000);
  CHECK(summary.interval.low == 2);
  CHECK(summary.interval.high == 8);
  CHECK(summary.uncertainty() == doctest::Approx(0.6));
  CHECK_THROWS_AS(summarise({}), std::invalid_argument);
}

TEST_CASE("bandwidth counts gigabytes of 10^9 bytes, and no time is no bandwidth") {
  CHECK(gigabytes_per_second(4e9, 2) == 2);
  CHECK_THROWS_AS(gigabytes_per_second(1, 0), std::invalid_argument);
  CHECK_THROWS_AS(gigabytes_per_second(1, -1), std::invalid_argument);
}
