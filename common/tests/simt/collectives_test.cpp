#include "simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>

using namespace simt;

namespace {

/// Numbers that an H200 wrote, from a file beside this test.
template <class T>
std::vector<T> read_numbers(const char* name) {
  std::ifstream file(simt::beside_the_tests(name));
  std::vector<T> numbers;
  for (T number; file >> number;) numbers.push_back(number);
  REQUIRE(!numbers.empty());
  return numbers;
}

template <class T>
T at(const std::vector<std::uint64_t>& words, std::size_t word, std::size_t index) {
  T value;
  std::memcpy(&value, reinterpret_cast<const char*>(words.data() + word) + index * sizeof(T), sizeof(T));
  return value;
}

} // namespace

TEST_CASE("shuffles among the lanes of a branch, from two places, and of every type") {
  for (Schedule schedule : all_schedules) {
    Buffer<long long> out(256);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_divergent_shuffles", out.get()).diagnostics.empty());
    std::vector<long long> values = out.values();
    for (int lane = 0; lane < 32; ++lane) {
      CAPTURE(lane);
      const long long* row = &values[static_cast<std::size_t>(lane) * 8];
      CHECK(row[0] == (lane == 31 ? 310 : (lane + 2) % 32 * 10));
      CHECK(row[1] == (lane < 16 ? lane + 116 : lane - 16));
      CHECK(row[2] == (31ll - lane) << 40);
      CHECK(row[3] == (lane % 16 < 4 ? lane : lane - 4));
      CHECK(row[4] == -(lane ^ 1));
      CHECK(row[5] == 1);
      CHECK(row[6] == 3 * (lane % 4 == 3 ? lane : lane + 1));
      CHECK(row[7] == (lane < 24 ? lane ^ 7 : 0));
    }
  }
}

TEST_CASE("votes and matches in loops that lanes leave one by one") {
  for (Schedule schedule : all_schedules) {
    Buffer<unsigned> out(256);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_divergent_votes", out.get()).diagnostics.empty());
    std::vector<unsigned> values = out.values();
    for (unsigned lane = 0; lane < 32; ++lane) {
      CAPTURE(lane);
      const unsigned* row = &values[lane * 8];
      CHECK(row[0] == (0xaaaaaaaau & 0xffffffffu << lane));
      if (lane >= 8) {
        CHECK((row[7] >> lane & 1) == 1); // who is active together is not defined
        continue;
      }
      CHECK(row[1] == 1);
      CHECK(row[2] == 1);
      CHECK(row[3] == (lane < 3 ? 7u : lane < 6 ? 56u : 192u));
      CHECK(row[4] == 255);
      CHECK(row[5] == 1);
      CHECK(row[6] == 0);
    }
  }
}

TEST_CASE("reductions over part of a warp") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(144);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_reductions", out.get()).diagnostics.empty());
    int sum = 0, least = 99, most = -99;
    unsigned least_unsigned = ~0u, most_unsigned = 0, both = ~0u, mixed = 0;
    for (int lane = 4; lane < 20; ++lane) {
      int value = (lane * 7 + 3) % 32 - 16;
      sum += value;
      least = std::min(least, value);
      most = std::max(most, value);
      least_unsigned = std::min(least_unsigned, static_cast<unsigned>(value));
      most_unsigned = std::max(most_unsigned, static_cast<unsigned>(value));
      both &= static_cast<unsigned>(value) | 0x100u;
      mixed ^= static_cast<unsigned>(lane) * 5;
    }
    std::vector<int> row{sum,
                         least,
                         most,
                         sum,
                         static_cast<int>(least_unsigned),
                         static_cast<int>(most_unsigned),
                         static_cast<int>(both),
                         0x000ffff0,
                         static_cast<int>(mixed)};
    std::vector<int> values = out.values();
    for (std::size_t lane = 0; lane < 16; ++lane)
      CHECK(std::vector<int>(values.begin() + lane * 9, values.begin() + lane * 9 + 9) == row);
  }
}

TEST_CASE("every atomic function, with its _block and _system forms") {
  for (Schedule schedule : all_schedules) {
    std::vector<std::uint64_t> start(64, 0);
    auto set = [&start](std::size_t word, std::size_t index, auto value) {
      std::memcpy(reinterpret_cast<char*>(start.data() + word) + index * sizeof value, &value, sizeof value);
    };
    set(0, 9, -1);
    set(16, 3, 10u);
    set(16, 9, ~0u);
    set(32, 2, 10ull);
    set(32, 5, -5ll);
    set(32, 6, ~0ull);
    Buffer<std::uint64_t> out(start);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_atomics", out.get()).diagnostics.empty());
    std::vector<std::uint64_t> words = out.values();
    std::vector<int> integers, expected{496, -496, 992, -496, -496, -496, 9, -31, 28, 0, -1, 0, 6, 5, 5};
    for (std::size_t i = 0; i < expected.size(); ++i) integers.push_back(at<int>(words, 0, i));
    CHECK(integers == expected);
    std::vector<unsigned> numbers, expected_unsigned{0xf0000000u * 32,
                                                     0u - 32,
                                                     4000000000u,
                                                     5u,
                                                     4000000000u,
                                                     2u,  // 32 steps of 0..4
                                                     32u, // below the bound
                                                     3u,  // 0, 6, 5, .. 0 and again
                                                     69u, // 0, 100, 99, ..
                                                     7u,
                                                     0xffffffffu,
                                                     1u,
                                                     77u};
    for (std::size_t i = 0; i < expected_unsigned.size(); ++i) numbers.push_back(at<unsigned>(words, 16, i));
    CHECK(numbers == expected_unsigned);
    CHECK(words[32] == 32ull << 40);
    CHECK(words[33] == 1ull << 50);
    CHECK(words[34] == 3);
    CHECK(words[35] == 31ull << 33);
    CHECK(static_cast<long long>(words[36]) == -31 * (1ll << 33));
    CHECK(static_cast<long long>(words[37]) == -1);
    CHECK(words[38] == 5ull << 35);
    CHECK(words[39] == 0xffffffffull << 20);
    CHECK(words[40] == 0);
    CHECK(words[41] == 1ull << 60);
    CHECK(at<float>(words, 48, 0) == 16.0f);
    CHECK(at<float>(words, 48, 1) == -8.0f);
    CHECK(at<float>(words, 48, 2) == 2.5f);
    CHECK(at<float>(words, 48, 4) == 32.0f);
    CHECK(at<float>(words, 48, 5) == 248.0f);
    CHECK(at<float>(words, 48, 8) == 32.0f);
    CHECK(at<float>(words, 48, 9) == 64.0f);
    CHECK(at<float>(words, 48, 10) == 496.0f);
    CHECK(at<float>(words, 48, 11) == -32.0f);
    CHECK(at<float>(words, 48, 12) == 2.0f);
    CHECK(at<float>(words, 48, 15) == 4.0f);
    CHECK(at<double>(words, 56, 0) == 4.0);
    CHECK(at<double>(words, 56, 1) == 496.0);
    CHECK(at<double>(words, 56, 2) == 3.0);
    CHECK(at<std::uint16_t>(words, 60, 1) == 7);
  }
}

TEST_CASE("intrinsics with exact results give those of an H200, also at the limits and for NaN") {
  std::vector<float> x{2.5f,  -2.5f, 1e10f, -1e10f, 1e20f, std::numeric_limits<float>::quiet_NaN(),
                       -0.5f, 3e9f};
  std::vector<double> y(x.begin(), x.end());
  Buffer<unsigned> in({0x12345678u, 0x9abcdef0u, 0xffffff80u});
  Buffer<float> floats(x);
  Buffer<double> doubles(y);
  Buffer<std::uint64_t> out(300);
  Buffer<int> count(1);
  CHECK(SIMT_RUN("run_exact_intrinsics", out.get(), in.get(), floats.get(), doubles.get(), count.get())
            .diagnostics.empty());
  std::vector<std::uint64_t> values = out.values();
  values.resize(static_cast<std::size_t>(count.values()[0]));
  CHECK(values == read_numbers<std::uint64_t>("exact_intrinsics.txt"));
}

TEST_CASE("intrinsics that round in their own way come close to an H200") {
  Buffer<float> in({0.3f, 1.0f, 2.7f, 10.0f});
  Buffer<double> out(100);
  Buffer<int> count(1);
  CHECK(SIMT_RUN("run_close_intrinsics", out.get(), in.get(), count.get()).diagnostics.empty());
  std::vector<double> values = out.values(), expected = read_numbers<double>("close_intrinsics.txt");
  REQUIRE(static_cast<std::size_t>(count.values()[0]) == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(values[i] - expected[i]) <= 2e-6 * std::max(std::abs(expected[i]), 1e-3));
  }
}

TEST_CASE("cache hints load and store, and each is one request") {
  Buffer<int> in(std::vector<int>(192, 7)), out(128);
  Report report = SIMT_RUN("run_cache_hints", out.get(), in.get());
  CHECK(report.diagnostics.empty());
  std::vector<int> values = out.values();
  for (std::size_t i = 0; i < 128; i += 4)
    CHECK(std::vector<int>(values.begin() + i, values.begin() + i + 4) == std::vector<int>{42, 43, 44, 3});
  CHECK(report.kernels[0].counters.global_load_requests == 6);
  CHECK(report.kernels[0].counters.global_store_requests == 4);
}

TEST_CASE("clocks go on") {
  Buffer<int> out(1);
  CHECK(SIMT_RUN("run_time_goes_on", out.get()).diagnostics.empty());
  CHECK(out.values()[0] == 1);
}

TEST_CASE("static inline device variables are device memory") {
  Buffer<int> out(1);
  CHECK(SIMT_RUN("run_count_hits", out.get()).diagnostics.empty());
  CHECK(out.values()[0] == 9);
  CHECK(call<int>("hits_from_host") == 5);
}

TEST_CASE("a division by zero and a trap say what they are") {
  FreshDevice fresh;
  Buffer<int> out(4), by({1, 1, 0, 1});
  Finding d = the_only(SIMT_RUN("run_divide", out.get(), by.get()), "division-by-zero");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("collectives.cu", "division")});
  CHECK(d.participants[0].thread->thread[0] == 2);
  CHECK(out.values() == std::vector<int>{7, 7, -1, 7});
  cudaDeviceReset();
  d = the_only(SIMT_RUN("run_trap"), "trap");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("collectives.cu", "trap")});
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}
