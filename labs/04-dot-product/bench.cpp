// The sweeps of lab 04: the dot product against n and against the number of blocks, for every submission that has it.
// On the simulator: what adding up across threads costs, in counts. On a GPU: bandwidth in GB/s (10^9 bytes) over the
// bytes of both arrays, with its ratio to a kernel that only reads as many. All numbers are small and whole, so that
// every order of the additions gives the same sum, and every result is checked exactly before its time is believed: in the
// calls that lengths(), block_dots() and grids() add to the plan, which takes the times (bench/plan.hpp).

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "grader/compare.hpp"
#include "grader/yardstick.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

constexpr std::size_t sim_elements = 1 << 16;
constexpr std::size_t smallest = 1 << 10;
constexpr std::size_t gpu_elements = std::size_t{1} << 28; ///< of the grid sweep and of the steps' comparison
constexpr std::size_t gpu_largest = std::size_t{1} << 30;
constexpr std::uint64_t seed_a = 1, seed_b = 2;
/// Products up to 16, of both signs: sums of 2^30 of them stay far below 2^24, where floats are still whole numbers.
const Distribution values = whole_numbers(-4, 4);
constexpr unsigned block_counts[] = {16, 33, 66, 132, 264, 396, 528, 792, 1056, 2112, 4224, 8448};
/// Seconds that a call may be expected to take: beyond `slow` it is timed three times only, beyond `too_long` not at all.
constexpr double slow = 0.05, too_long = 1;

/// The exact dot products of the generated arrays at these lengths, in ascending order of length.
std::map<std::size_t, double> exact_sums(const std::vector<std::size_t>& lengths) {
  constexpr std::size_t piece = 1 << 20;
  const std::size_t pieces = (lengths.back() + piece - 1) / piece;
  const auto sum_of = [](std::size_t first, std::size_t last) {
    std::int64_t sum = 0;
    for (std::size_t i = first; i < last; ++i) {
      sum += static_cast<std::int64_t>(generated_element<float>(values, seed_a, i)) *
             static_cast<std::int64_t>(generated_element<float>(values, seed_b, i));
    }
    return sum;
  };
  std::vector<std::int64_t> partial(pieces);
  {
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> threads;
    for (unsigned k = 0; k < std::max(1u, std::thread::hardware_concurrency()); ++k) {
      threads.emplace_back([&] {
        for (std::size_t p = next++; p < pieces; p = next++)
          partial[p] = sum_of(p * piece, std::min((p + 1) * piece, lengths.back()));
      });
    }
  }
  std::map<std::size_t, double> sums;
  std::int64_t whole = 0;
  std::size_t summed = 0;
  for (const std::size_t n : lengths) {
    for (; summed < n / piece; ++summed) whole += partial[summed];
    sums[n] = static_cast<double>(whole + sum_of(summed * piece, n));
  }
  return sums;
}

/// Where a row stands in the table.
struct Point {
  std::string submission;
  std::string function;
  std::string precision;
  std::size_t n = 0;
  unsigned blocks = 0; ///< 0: the submission's own choice
};

class Bench : Sweep {
public:
  Bench(const BenchOptions& options, Table& table, const std::vector<Measured>& all)
      : Sweep(options, table, 7), submissions_(all) {
    const SubmissionOptions any = submission_options(options, {});
    size_ = options.size != 0 ? options.size : is_sim_ ? sim_elements : gpu_elements;
    if (is_sim_) {
      lengths_ = {size_};
    } else {
      for (std::size_t n = smallest; n < size_; n *= 4) lengths_.push_back(n);
      lengths_.push_back(size_);
      const std::size_t memory = probe(any).memory_bytes;
      if (options.size == 0 && memory / 5 * 4 > 2 * gpu_largest * sizeof(double))
        lengths_.push_back(gpu_largest);
    }
    expected_ = exact_sums(lengths_);
  }

  /// A group is a function at one length; how long a call takes at the next is known from it.
  void measure() {
    for (const std::size_t n : lengths_) {
      if (wanted(Precision::f32)) lengths<float>(CONTRACT(dot_f32), "f32", n);
      if (wanted(Precision::f64)) lengths<double>(CONTRACT(dot_f64), "f64", n);
      if (wanted(Precision::f32)) lengths<float>(CONTRACT(dot_deterministic_f32), "f32", n);
      if (is_sim_ && wanted(Precision::f32)) block_dots(n);
    }
    if (!is_sim_ && wanted(Precision::f32)) grids();
    plan_.run();
    if (is_sim_) return;
    for (const auto& [bytes, taken] : plan_.ceilings()->all(Yardstick::read)) {
      add({"yardstick", "read", "f32", bytes / 8}, "bandwidth",
          rate(1e-9 * static_cast<double>(bytes), taken.time()), "GB/s", taken);
    }
  }

private:
  /// Every submission that has the function, at one length.
  template <typename T, typename F>
  void lengths(F function, const char* precision, std::size_t n) {
    for (const Measured& candidate : submissions_) {
      measure_point(candidate, {candidate.name, function.name, precision, n}, 2 * n * sizeof(T),
                    [=, this](Submission& submission, const CallOptions& how) {
                      Reply reply = submission.call(how, function, poisoned<T>(1).returned(),
                                                    generated<T>(n, values, seed_a),
                                                    generated<T>(n, values, seed_b), n);
                      expect_equal(reply, 0, std::vector<T>{static_cast<T>(expected_.at(n))});
                      return reply;
                    });
    }
  }

  /// The sums of every 256 elements are a matter of counts; a sample of them is checked.
  void block_dots(std::size_t n) {
    constexpr std::size_t width = 256;
    const auto function = CONTRACT(block_dots_f32);
    for (const Measured& candidate : submissions_) {
      measure_point(candidate, {candidate.name, function.name, "f32", n}, 2 * n * sizeof(float),
                    [=](Submission& submission, const CallOptions& how) {
                      Reply reply = submission.call(
                          how, function, poisoned<float>((n + width - 1) / width).sampled(),
                          generated<float>(n, values, seed_a), generated<float>(n, values, seed_b), n);
                      expect_samples<float>(reply, 0, [&](std::size_t k) {
                        float sum = 0;
                        for (std::size_t i = k * width; i < std::min(n, (k + 1) * width); ++i)
                          sum += generated_element<float>(values, seed_a, i) *
                                 generated_element<float>(values, seed_b, i);
                        return sum;
                      });
                      return reply;
                    });
    }
  }

  void grids() {
    const auto function = CONTRACT(dot_in_blocks_f32);
    const std::size_t n = size_;
    for (const unsigned blocks : block_counts) {
      for (const Measured& candidate : submissions_) {
        measure_point(candidate, {candidate.name, function.name, "f32", n, blocks}, 2 * n * sizeof(float),
                      [=, this](Submission& submission, const CallOptions& how) {
                        Reply reply = submission.call(how, function, poisoned<float>(1).returned(),
                                                      generated<float>(n, values, seed_a),
                                                      generated<float>(n, values, seed_b), n, blocks);
                        expect_equal(reply, 0, std::vector<float>{static_cast<float>(expected_.at(n))});
                        return reply;
                      });
      }
    }
  }

  /// Plans the call. `call` has checked the output when it returns.
  void measure_point(const Measured& candidate, const Point& point, std::size_t bytes,
                     const Plan::Call& call) {
    const auto report = [=, this](const Taken& taken) {
      return is_sim_ ? count(point, taken) : time(point, bytes, taken);
    };
    const auto how = [=, this]() -> Plan::Point::How {
      const double cost =
          seconds_per_byte_[{point.submission, point.function}]; // at the length before; 0: not known
      const double expected = point.blocks == 0 ? cost * static_cast<double>(bytes) : 0;
      if (options_.repetitions == 1) return {plan_.timed(), 1}; // under a profiler the length before says nothing
      if (expected > too_long) return {timed_call(1, 1), 0};
      if (expected > slow) return {timed_call(3, 3), 1};
      return {plan_.timed(), options_.rounds};
    };
    const std::string at = point.blocks == 0 ? " n = " + std::to_string(point.n)
                                             : ", " + std::to_string(point.blocks) + " blocks";
    plan_.add(point.function + at, {candidate, point.function, point.function + at, call, report,
                                    std::pair{Yardstick::read, bytes}, how});
  }

  std::string count(const Point& point, const Taken& taken) {
    const simt::Counters& c = taken.reply->counters();
    double blocks = 0;
    for (const simt::KernelRecord& kernel : taken.reply->kernels())
      blocks += static_cast<double>(kernel.grid[0]) * kernel.grid[1] * kernel.grid[2];
    const auto row = [&](const char* metric, double value, const char* unit) {
      add(point, metric, exactly(value), unit, taken);
    };
    const double requests = static_cast<double>(c.shared_load_requests + c.shared_store_requests);
    row("load_requests", static_cast<double>(c.global_load_requests), "requests");
    row("atomics", static_cast<double>(c.global_atomic_lanes), "atomic operations");
    row("shared_requests", requests, "requests");
    row("shuffles", static_cast<double>(c.shuffles), "exchanges");
    row("barriers", static_cast<double>(c.barriers), "barriers");
    row("blocks", blocks, "blocks");
    char text[160];
    std::snprintf(text, sizeof text,
                  "%.0f blocks, %llu atomics, %.0f shared requests, %llu shuffles, %llu barriers", blocks,
                  static_cast<unsigned long long>(c.global_atomic_lanes), requests,
                  static_cast<unsigned long long>(c.shuffles), static_cast<unsigned long long>(c.barriers));
    return text;
  }

  std::string time(const Point& point, std::size_t bytes, const Taken& taken) {
    const Summary seconds = taken.time();
    seconds_per_byte_[{point.submission, point.function}] = seconds.median / static_cast<double>(bytes);
    const Value speed = rate(1e-9 * static_cast<double>(bytes), seconds);
    add(point, "bandwidth", speed, "GB/s", taken);
    add(point, "ratio_to_read", speed / taken.ceiling, "ratio", taken);
    add(point, "time", duration(seconds, 1e-6), "us", taken);
    char text[96];
    std::snprintf(text, sizeof text, "%9.2f us %6.0f GB/s, %.3f of a read", 1e6 * seconds.median, speed.value,
                  speed.value / taken.ceiling);
    return text;
  }

  void add(const Point& point, const char* metric, const Value& value, const char* unit, const Taken& taken) {
    add_row(
        table_,
        {point.submission, point.function, point.precision, point.n, static_cast<std::size_t>(point.blocks)},
        metric, value, unit, taken);
  }

  std::size_t size_ = 0;
  std::vector<std::size_t> lengths_;
  std::map<std::size_t, double> expected_;
  std::vector<Measured> submissions_;
  std::map<std::pair<std::string, std::string>, double> seconds_per_byte_;
};

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, WARPBOOK_CONTRACT_FILE, {"submission", "function", "precision", "n", "blocks"},
                   [](const BenchOptions& options, Table& table, const std::vector<Measured>& all) {
                     Bench bench(options, table, all);
                     bench.measure();
                   });
}
