// The sweeps of lab 01: offset_add against the offset, stride_add against the stride, and the other functions
// at one size, for every submission that has them. On the simulator: sectors a request. On a GPU: effective
// bandwidth in GB/s (10^9 bytes), counting only the bytes that the task has to read and write, with its ratio
// to a plain copy measured beside it. Every output is checked before its time or counter is believed.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/bench.hpp"
#include "call/generate.hpp"
#include "grader/compare.hpp"
#include "grader/yardstick.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

constexpr std::size_t sim_elements = 1 << 16;
constexpr std::size_t most_offset = 32;
constexpr std::size_t most_stride = 32;
constexpr std::uint64_t seed = 1;
/// Clocks and temperature drift, so the copy is measured again after so many points.
constexpr int points_for_one_copy = 8;

/// Where a row stands in the table.
struct Point {
  std::string submission;
  std::string function;
  std::string precision;
  std::size_t offset = 0;
  std::size_t stride = 1;
  std::size_t n = 0;
};

/// The exact column sums of the generated matrix; made once, they are the same for every submission.
std::vector<float> exact_column_sums(const Distribution& values, std::size_t rows, std::size_t cols) {
  std::vector<float> sums(cols);
  const std::size_t workers = std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), cols);
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 0; worker < workers; ++worker) {
      threads.emplace_back([&, worker] {
        const std::size_t first = cols * worker / workers;
        const std::size_t last = cols * (worker + 1) / workers;
        std::vector<double> partial(last - first);
        for (std::size_t r = 0; r < rows; ++r) {
          for (std::size_t c = first; c < last; ++c)
            partial[c - first] += generated_element<float>(values, seed, r * cols + c);
        }
        std::copy(partial.begin(), partial.end(), sums.begin() + static_cast<std::ptrdiff_t>(first));
      });
    }
  }
  return sums;
}

class Bench {
public:
  Bench(const BenchOptions& options, Table& table)
      : options_(options), table_(table), is_sim_(options.backend == Backend::sim),
        timed_(timed_call(std::min(5, options.repetitions), options.repetitions)) {
    const SubmissionOptions any = submission_options(options, {});
    size_ = options.size != 0 ? options.size
            : is_sim_         ? sim_elements
                              : elements_beyond_cache(any, sizeof(float));
    if (!is_sim_) yardsticks_.emplace(any);
  }

  /// What this machine does with the same bytes; on a GPU only.
  void measure_yardsticks() {
    if (is_sim_) return;
    const std::size_t bytes = 8 * size_;
    for (const Yardstick yardstick : {Yardstick::copy, Yardstick::memcpy, Yardstick::read}) {
      const Summary time = yardsticks_->time(yardstick, bytes, timed_);
      const auto moved = static_cast<double>(bytes);
      const double speed = gigabytes_per_second(moved, time.median);
      const Point point{
          "yardstick", name_of(yardstick), "f32", 0, 1, bytes / (yardstick == Yardstick::read ? 4 : 8)};
      add(point, "effective_bandwidth", speed, gigabytes_per_second(moved, time.interval.high),
          gigabytes_per_second(moved, time.interval.low), time.count, "GB/s");
      std::printf("%-42s %-18s %6.0f GB/s\n", "yardstick", name_of(yardstick), speed);
      std::fflush(stdout);
    }
  }

  void measure(const Measured& measured) {
    Submission submission(submission_options(options_, measured));
    const auto wanted = [this](Precision p) {
      return options_.precision == Precision::both || options_.precision == p;
    };
    const auto if_there = [&](const char* function, const std::function<void()>& sweep) {
      try {
        sweep();
      } catch (const ItemFailed& failed) {
        if (is_missing_function(failed)) return;
        throw std::runtime_error(measured.name + ": " + failed.what());
      }
      std::printf("%-42s %-18s %s\n", measured.name.c_str(), function, last_.c_str());
      std::fflush(stdout);
    };
    const std::string& name = measured.name;
    if (wanted(Precision::f32)) {
      if_there("offset_add_f32", [&] { offsets<float>(submission, name, CONTRACT(offset_add_f32), "f32"); });
      if_there("stride_add_f32", [&] { strides<float>(submission, name, CONTRACT(stride_add_f32), "f32"); });
    }
    if (wanted(Precision::f64)) {
      if_there("offset_add_f64", [&] { offsets<double>(submission, name, CONTRACT(offset_add_f64), "f64"); });
      if_there("stride_add_f64", [&] { strides<double>(submission, name, CONTRACT(stride_add_f64), "f64"); });
    }
    if (wanted(Precision::f32)) {
      if_there("copy_vectorized", [&] { copy(submission, name); });
      if_there("advance_particles", [&] { particles(submission, name); });
      if_there("column_sums", [&] { sums(submission, name); });
    }
  }

private:
  template <typename T, typename F>
  void offsets(Submission& submission, const std::string& name, F function, const char* precision) {
    const std::size_t n = size_;
    for (std::size_t offset = 0; offset <= most_offset; ++offset) {
      measure_point({name, function.name, precision, offset, 1, n}, 2.0 * static_cast<double>(n * sizeof(T)),
                    [&](const CallOptions& how) {
                      Reply reply = submission.call(
                          how, function, generated<T>(offset + n, values_, seed).sampled(), n, offset);
                      expect_samples<T>(reply, 0, [&](std::size_t i) {
                        const T old = generated_element<T>(values_, seed, i);
                        return i < offset ? old : old + T{1};
                      });
                      return reply;
                    });
    }
  }

  /// The array stays as long as it is, so that larger strides touch fewer of its elements, not more memory.
  template <typename T, typename F>
  void strides(Submission& submission, const std::string& name, F function, const char* precision) {
    for (std::size_t stride = 1; stride <= most_stride; ++stride) {
      const std::size_t n = std::max<std::size_t>(size_ / stride, 1);
      measure_point({name, function.name, precision, 0, stride, n}, 2.0 * static_cast<double>(n * sizeof(T)),
                    [&](const CallOptions& how) {
                      Reply reply = submission.call(
                          how, function, generated<T>(n * stride, values_, seed).sampled(), n, stride);
                      expect_samples<T>(reply, 0, [&](std::size_t i) {
                        const T old = generated_element<T>(values_, seed, i);
                        return i % stride != 0 ? old : old + T{1};
                      });
                      return reply;
                    });
    }
  }

  void copy(Submission& submission, const std::string& name) {
    const std::size_t n = size_;
    const auto function = CONTRACT(copy_vectorized);
    measure_point({name, function.name, "f32", 0, 1, n}, 8.0 * static_cast<double>(n),
                  [&](const CallOptions& how) {
                    Reply reply = submission.call(how, function, poisoned<float>(n).sampled(),
                                                  generated<float>(n, values_, seed).sampled(), n);
                    expect_samples<float>(
                        reply, 0, [&](std::size_t i) { return generated_element<float>(values_, seed, i); });
                    return reply;
                  });
  }

  void particles(Submission& submission, const std::string& name) {
    const std::size_t n = std::max<std::size_t>(size_ / 8, 1);
    const float dt = 0.5f; // whole numbers and halves: no rounding, fused or not
    const auto function = CONTRACT(advance_particles);
    // Six of a particle's eight floats are needed, and three are written.
    measure_point(
        {name, function.name, "f32", 0, 1, n}, 36.0 * static_cast<double>(n), [&](const CallOptions& how) {
          Reply reply = submission.call(how, function, poisoned<float>(n).sampled(),
                                        poisoned<float>(n).sampled(), poisoned<float>(n).sampled(),
                                        generated<Particle, float>(n, whole_, seed).sampled(), n, dt);
          for (std::size_t axis = 0; axis < 3; ++axis) {
            expect_samples<float>(reply, axis, [&](std::size_t i) {
              return generated_element<float>(whole_, seed, 8 * i + axis) +
                     dt * generated_element<float>(whole_, seed, 8 * i + 4 + axis);
            });
          }
          return reply;
        });
  }

  void sums(Submission& submission, const std::string& name) {
    std::size_t rows = 1;
    while (4 * rows * rows <= size_) rows *= 2;
    const std::size_t cols = size_ / rows;
    // Whole numbers below 2^24 in all: every order of addition gives the exact sum.
    if (expected_sums_.empty()) expected_sums_ = exact_column_sums(small_, rows, cols);
    const auto function = CONTRACT(column_sums);
    measure_point({name, function.name, "f32", 0, 1, rows * cols},
                  4.0 * static_cast<double>(rows * cols + cols), [&](const CallOptions& how) {
                    Reply reply =
                        submission.call(how, function, poisoned<float>(cols).returned(),
                                        generated<float>(rows * cols, small_, seed).sampled(), rows, cols);
                    expect_equal(reply, 0, expected_sums_);
                    return reply;
                  });
  }

  /// Makes the call, and adds what it cost. `call` has checked the output when it returns.
  void measure_point(const Point& point, double useful_bytes,
                     const std::function<Reply(const CallOptions&)>& call) {
    if (is_sim_) {
      const Reply reply = call(CallOptions{});
      const simt::Counters& c = reply.counters();
      last_.clear();
      const auto count = [&](const char* kind, std::uint64_t sectors, std::uint64_t requests) {
        if (requests == 0) return; // column sums may be written by atomics alone
        const double value = per(sectors, requests);
        add(point, ("sectors_per_request_" + std::string(kind)).c_str(), value, value, value, 1, "sectors");
        char text[48];
        std::snprintf(text, sizeof text, "%.4g sectors per %s request", value, kind);
        last_ += (last_.empty() ? "" : ", ") + std::string(text);
      };
      count("load", c.global_load_sectors, c.global_load_requests);
      count("store", c.global_store_sectors, c.global_store_requests);
      count("atomic", c.global_atomic_sectors, c.global_atomic_requests);
      return;
    }
    if (points_since_copy_++ % points_for_one_copy == 0)
      copy_ = yardsticks_->measure(Yardstick::copy, 8 * size_, timed_);
    const Reply reply = call(timed_);
    std::vector<double> seconds = reply.times_ms();
    for (double& time : seconds) time *= 1e-3;
    const Summary time = summarise(seconds);
    const double speed = gigabytes_per_second(useful_bytes, time.median);
    const double low = gigabytes_per_second(useful_bytes, time.interval.high);
    const double high = gigabytes_per_second(useful_bytes, time.interval.low);
    add(point, "effective_bandwidth", speed, low, high, time.count, "GB/s");
    add(point, "ratio_to_copy", speed / copy_, low / copy_, high / copy_, time.count, "ratio");
    char text[64];
    std::snprintf(text, sizeof text, "%6.0f GB/s, %.3f of a copy", speed, speed / copy_);
    last_ = text;
  }

  void add(const Point& point, const char* metric, double value, double low, double high,
           std::size_t repetitions, const char* unit) {
    table_.add({point.submission, point.function, point.precision, point.offset, point.stride, point.n,
                metric, value, low, high, repetitions, unit});
  }

  const BenchOptions& options_;
  Table& table_;
  bool is_sim_;
  CallOptions timed_;
  std::size_t size_ = 0;
  std::optional<Yardsticks> yardsticks_;
  double copy_ = 0; ///< GB/s, lately
  int points_since_copy_ = 0;
  std::string last_; ///< the last point in words, for the progress on the screen
  std::vector<float> expected_sums_;
  Distribution values_ = uniform(-1, 1);
  Distribution whole_ = whole_numbers(-1000, 1000);
  Distribution small_ = whole_numbers(-8, 8);
};

} // namespace

int main(int argc, char** argv) {
  const BenchOptions options = parse_bench_options(argc, argv, WARPBOOK_CONTRACT_FILE);
  try {
    Table table = start_table(options, {"submission", "function", "precision", "offset", "stride", "n",
                                        "metric", "value", "low", "high", "repetitions", "unit"});
    const std::vector<Measured> all = measured_modules(options.modules);
    Bench bench(options, table);
    bench.measure_yardsticks();
    for (const Measured& measured : all) bench.measure(measured);
    table.write(options.out);
    std::printf("%zu rows in %s\n", table.rows(), options.out.filename().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-01: %s\n", error.what());
    return 1;
  }
}
