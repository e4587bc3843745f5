// No false alarms: correct kernels run clean, and right, under every schedule.

#include "simulation.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <numeric>

using namespace simt;

namespace {

constexpr int n = 1024;
using Values = std::vector<int>;

Values input() {
  Values in(n);
  for (int i = 0; i < n; ++i) in[i] = i * 37 % 101;
  return in;
}

int sum_of(const Values& in, int begin, int count) {
  return std::accumulate(in.begin() + begin, in.begin() + begin + count, 0);
}

/// Fills `out` (zero before) from `in`.
using Reference = std::function<void(const Values& in, Values& out)>;

/// out[i] = value(i) for i < count.
Reference each(int count, std::function<int(const Values&, int)> value) {
  return [=](const Values& in, Values& out) {
    for (int i = 0; i < count; ++i) out[i] = value(in, i);
  };
}

Values smoothed(const Values& in) {
  Values out(n);
  for (int i = 0; i < n; ++i) out[i] = in[std::max(i - 1, 0)] + in[i] + in[std::min(i + 1, n - 1)];
  return out;
}

int fibonacci(int k) { return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2); }

int nested(const Values& in, int i) {
  int sum = 0;
  for (int a = 0; a < i % 5; ++a) {
    if (a % 2 == 1) sum -= in[i];
    for (int b = 0; a % 2 == 0 && b < i % 3; ++b) sum += in[(i + a * b) % n];
  }
  if (i % 4 == 0) sum += 1;
  if (i % 4 == 1) sum *= 2;
  if (i % 4 == 1 || i % 4 == 2) sum -= in[0];
  return sum;
}

int parity(const Values& in, int warp) {
  int odd = 0, first = 0;
  for (int lane = 31; lane >= 0; --lane)
    if (in[warp * 32 + lane] & 1) ++odd, first = lane + 1;
  return odd * 100 + first + (in[warp * 32] & 1);
}

const Reference running_sum = each(256, [](const Values& in, int i) { return sum_of(in, 0, i + 1); });
const Reference histogram = [](const Values& in, Values& out) {
  for (int value : in) ++out[value % 16];
};
const Reference total_first = [](const Values& in, Values& out) { out[0] = sum_of(in, 0, n); };

const std::map<std::string, Reference> cases = {
    {"guard_exits_early", each(n, [](auto& in, int i) { return in[i] + 1; })},
    {"exit_before_barrier", each(40, [](auto& in, int i) { return in[39 - i]; })},
    {"warp_sum_in_shared", each(32, [](auto& in, int i) { return sum_of(in, 32 * i, 32); })},
    {"warp_sum_by_shuffle", each(32, [](auto& in, int i) { return sum_of(in, 32 * i, 32); })},
    {"butterfly", each(n, [](auto& in, int i) {
       return *std::max_element(in.begin() + i / 32 * 32, in.begin() + i / 32 * 32 + 32);
     })},
    {"block_sum", each(4, [](auto& in, int i) { return sum_of(in, 256 * i, 256); })},
    {"sum_in_one_pass", total_first},
    {"two_shared_buffers", each(n, [](auto& in, int i) { return in[i / 64 * 64 + (i + 8) % 64]; })},
    {"two_global_buffers", each(256, [](auto& in, int i) {
       auto at = [&](int k) { return in[(i + k) % 256]; };
       return at(0) + 4 * at(1) + 6 * at(2) + 4 * at(3) + at(4);
     })},
    {"smooth", [](auto& in, auto& out) { out = smoothed(smoothed(in)); }},
    {"in_place_through_registers", each(n, [](auto& in, int i) {
       return i < 256 ? in[(i + 255) % 256] + in[(i + 1) % 256] + 2 : in[i] + 1;
     })},
    {"count_values", histogram},
    {"count_values_in_shared", histogram},
    {"hand_over", each(n, [](auto& in, int i) { return i / 64 % 2 ? in[i - 64] : 0; })},
    {"add_under_lock", [](auto& in, auto& out) { out[0] = sum_of(in, 0, 20), out[1] = 20; }},
    {"largest_by_cas", [](auto& in, auto& out) { out[0] = *std::max_element(in.begin(), in.end()); }},
    {"through_volatile", each(n, [](auto& in, int i) { return (in[i] + 1) * 2; })},
    {"parity_bits", each(32, parity)},
    {"structures", each(n, [](auto& in, int i) { return in[n - 1 - i] * 6; })},
    {"swap_components", each(n, [](auto& in, int i) { return in[i ^ 3]; })},
    {"templates", each(n, [](auto& in, int i) { return in[i] * 5; })},
    {"lambdas", each(n, [](auto& in, int i) { return in[i] * 5 + i; })},
    {"constants", each(n, [](auto& in, int i) {
       int sum = 0;
       for (int k = 0; k < 5; ++k) sum += (k + 1) * in[(i + k) % n];
       return sum;
     })},
    {"transpose", each(n, [](auto& in, int i) { return in[i % 32 * 32 + i / 32]; })},
    {"three_dimensions", each(n, [](auto& in, int i) { return in[i] * 2; })},
    {"two_arrays_in_dynamic_memory", each(n, [](auto& in, int i) { return in[i ^ 63]; })},
    {"grid_stride", each(n, [](auto& in, int i) { return in[i] * in[i]; })},
    {"bytes", each(n, [](auto& in, int i) { return in[i]; })},
    {"shorts_in_shared", each(n, [](auto& in, int i) { return in[i ^ 1]; })},
    {"multiply", each(n, [](auto& in, int i) {
       int sum = 0;
       for (int k = 0; k < 32; ++k) sum += in[i / 32 * 32 + k] * in[k * 32 + i % 32];
       return sum;
     })},
    {"scan_with_two_buffers", running_sum},
    {"scan_up_and_down", running_sum},
    {"bitonic_sort", [](auto& in, auto& out) {
       std::copy(in.begin(), in.begin() + 256, out.begin());
       std::sort(out.begin(), out.begin() + 256);
     }},
    {"chained_scan", each(n, [](auto& in, int i) { return sum_of(in, 0, i + 1); })},
    {"column_sums", each(32, [](auto& in, int i) {
       int sum = 0;
       for (int row = 0; row < 32; ++row) sum += in[row * 32 + i];
       return sum;
     })},
    {"find", [](auto&, auto& out) { out[0] = 1; }},
    {"one_atomic_per_warp", [](auto& in, auto& out) {
       out[n - 1] = static_cast<int>(std::count_if(in.begin(), in.end(), [](int x) { return x > 40; }));
       std::fill(out.begin(), out.begin() + out[n - 1], 1);
     }},
    {"votes_of_the_block", each(8, [](auto& in, int b) {
       auto begin = in.begin() + b * 128, end = begin + 128;
       return static_cast<int>(std::count_if(begin, end, [](int x) { return x & 1; })) * 4 +
              (std::count(begin, end, 100) > 0) * 2 + 1;
     })},
    {"copy_by_memcpy", each(n, [](auto& in, int i) { return in[i ^ 7]; })},
    {"recursion", each(128, [](auto& in, int i) { return fibonacci(in[i] % 10); })},
    {"nested_divergence", each(n, nested)},
    {"linked_list", each(n, [](auto&, int) { return 1; })},
    {"halves_of_a_warp", each(32, [](auto& in, int i) { return in[i ^ 15]; })},
    {"owners_of_rows", each(n, [](auto& in, int i) { return sum_of(in, 0, i % 16 + 1); })},
    {"exchange_is_a_write", each(n, [](auto& in, int i) { return in[i / 128 * 128 + 127 - i % 128]; })},
    {"volatile_tile_with_fences",
     each(n, [](auto& in, int i) { return 16 * sum_of(in, i / 256 * 256, 256) + 256 * 120; })},
    {"volatile_tree_with_fences", each(200, [](auto& in, int b) { return sum_of(in, b % 4 * 256, 256); })},
};

} // namespace

TEST_CASE("correct kernels raise no alarm and are right under every schedule") {
  REQUIRE(cases.size() >= 40);
  const Values in = input();
  for (const auto& entry : cases) {
    const std::string& name = entry.first;
    const auto& reference = entry.second;
    Values expected(n);
    reference(in, expected);
    for (std::uint64_t seed : {1, 2, 3, 4, 5}) {
      Options options;
      options.schedule = seed < 3 ? all_schedules[seed - 1] : Schedule::random;
      options.seed = seed;
      Buffer<int> source(in), out(n), scratch(4096);
      Report report = SIMT_RUN_WITH(options, (name + "_case").c_str(), static_cast<const int*>(source.get()),
                                    out.get(), scratch.get());
      CAPTURE(name);
      CAPTURE(seed);
      for (const Finding& diagnostic : report.diagnostics)
        FAIL_CHECK(diagnostic.id << ": " << message_of(diagnostic));
      CHECK(out.values() == expected);
      CHECK(cudaGetLastError() == cudaSuccess);
    }
  }
}
