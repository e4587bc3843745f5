// The sweeps of lab 01: offset_add against the offset, stride_add against the stride, and the other functions
// at one size, for every submission that has them. On the simulator: sectors a request. On a GPU: effective
// bandwidth in GB/s (10^9 bytes), counting only the bytes that the task has to read and write, with its ratio
// to a plain copy measured beside it. Every output is checked before its time or counter is believed: in the calls that
// offsets(), strides(), copy(), particles() and sums() add to the plan, which takes the times (bench/plan.hpp).

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
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
constexpr std::size_t most_offset = 32;
constexpr std::size_t most_stride = 32;
constexpr std::uint64_t seed = 1;

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

class Bench : Sweep {
public:
  Bench(const BenchOptions& options, Table& table) : Sweep(options, table) {
    size_ = elements(sim_elements, sizeof(float));
  }

  /// What this machine does with the same bytes; on a GPU only.
  void measure_yardsticks() {
    if (is_sim_) return;
    const std::size_t bytes = 8 * size_;
    for (const Yardstick yardstick : {Yardstick::copy, Yardstick::memcpy, Yardstick::read}) {
      const Taken taken = show_yardstick(yardstick, bytes);
      const Value speed = rate(1e-9 * static_cast<double>(bytes), taken.time());
      const Point point{
          "yardstick", name_of(yardstick), "f32", 0, 1, bytes / (yardstick == Yardstick::read ? 4 : 8)};
      add(point, "effective_bandwidth", speed, "GB/s", taken);
    }
  }

  void measure(const std::vector<Measured>& all) {
    for (const Measured& measured : all) {
      if (wanted(Precision::f32)) {
        offsets<float>(measured, CONTRACT(offset_add_f32), "f32");
        strides<float>(measured, CONTRACT(stride_add_f32), "f32");
      }
      if (wanted(Precision::f64)) {
        offsets<double>(measured, CONTRACT(offset_add_f64), "f64");
        strides<double>(measured, CONTRACT(stride_add_f64), "f64");
      }
      if (wanted(Precision::f32)) {
        copy(measured);
        particles(measured);
        sums(measured);
      }
    }
    plan_.run();
  }

private:
  template <typename T, typename F>
  void offsets(const Measured& measured, F function, const char* precision) {
    const std::size_t n = size_;
    for (std::size_t offset = 0; offset <= most_offset; ++offset) {
      measure_point(measured, {measured.name, function.name, precision, offset, 1, n},
                    2.0 * static_cast<double>(n * sizeof(T)),
                    [=, this](Submission& submission, const CallOptions& how) {
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
  void strides(const Measured& measured, F function, const char* precision) {
    for (std::size_t stride = 1; stride <= most_stride; ++stride) {
      const std::size_t n = std::max<std::size_t>(size_ / stride, 1);
      measure_point(measured, {measured.name, function.name, precision, 0, stride, n},
                    2.0 * static_cast<double>(n * sizeof(T)),
                    [=, this](Submission& submission, const CallOptions& how) {
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

  void copy(const Measured& measured) {
    const std::size_t n = size_;
    const auto function = CONTRACT(copy_vectorized);
    measure_point(measured, {measured.name, function.name, "f32", 0, 1, n}, 8.0 * static_cast<double>(n),
                  [=, this](Submission& submission, const CallOptions& how) {
                    Reply reply = submission.call(how, function, poisoned<float>(n).sampled(),
                                                  generated<float>(n, values_, seed).sampled(), n);
                    expect_samples<float>(
                        reply, 0, [&](std::size_t i) { return generated_element<float>(values_, seed, i); });
                    return reply;
                  });
  }

  void particles(const Measured& measured) {
    const std::size_t n = std::max<std::size_t>(size_ / 8, 1);
    const float dt = 0.5f; // whole numbers and halves: no rounding, fused or not
    const auto function = CONTRACT(advance_particles);
    // Six of a particle's eight floats are needed, and three are written.
    measure_point(measured, {measured.name, function.name, "f32", 0, 1, n}, 36.0 * static_cast<double>(n),
                  [=, this](Submission& submission, const CallOptions& how) {
                    Reply reply =
                        submission.call(how, function, poisoned<float>(n).sampled(),
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

  void sums(const Measured& measured) {
    std::size_t rows = 1;
    while (4 * rows * rows <= size_) rows *= 2;
    const std::size_t cols = size_ / rows;
    // Whole numbers below 2^24 in all: every order of addition gives the exact sum.
    if (expected_sums_.empty()) expected_sums_ = exact_column_sums(small_, rows, cols);
    const auto function = CONTRACT(column_sums);
    measure_point(measured, {measured.name, function.name, "f32", 0, 1, rows * cols},
                  4.0 * static_cast<double>(rows * cols + cols),
                  [=, this](Submission& submission, const CallOptions& how) {
                    Reply reply =
                        submission.call(how, function, poisoned<float>(cols).returned(),
                                        generated<float>(rows * cols, small_, seed).sampled(), rows, cols);
                    expect_equal(reply, 0, expected_sums_);
                    return reply;
                  });
  }

  /// Plans the call. `call` has checked the output when it returns.
  void measure_point(const Measured& measured, const Point& point, double useful_bytes,
                     const Plan::Call& call) {
    const auto report = [=, this](const Taken& taken) {
      return is_sim_ ? count(point, taken) : time(point, useful_bytes, taken);
    };
    plan_.add(
        point.function,
        {measured, point.function, point.function, call, report, std::pair{Yardstick::copy, 8 * size_}, {}});
  }

  std::string count(const Point& point, const Taken& taken) {
    const simt::Counters& c = taken.reply->counters();
    std::string text;
    const auto sectors = [&](const char* kind, std::uint64_t sectors, std::uint64_t requests) {
      if (requests == 0) return; // column sums may be written by atomics alone
      const double value = per(sectors, requests);
      add(point, ("sectors_per_request_" + std::string(kind)).c_str(), exactly(value), "sectors", taken);
      char words[48];
      std::snprintf(words, sizeof words, "%.4g sectors per %s request", value, kind);
      text += (text.empty() ? "" : ", ") + std::string(words);
    };
    sectors("load", c.global_load_sectors, c.global_load_requests);
    sectors("store", c.global_store_sectors, c.global_store_requests);
    sectors("atomic", c.global_atomic_sectors, c.global_atomic_requests);
    return text;
  }

  std::string time(const Point& point, double useful_bytes, const Taken& taken) {
    const Value speed = rate(1e-9 * useful_bytes, taken.time());
    add(point, "effective_bandwidth", speed, "GB/s", taken);
    add(point, "ratio_to_copy", speed / taken.ceiling, "ratio", taken);
    char text[64];
    std::snprintf(text, sizeof text, "%6.0f GB/s, %.3f of a copy", speed.value, speed.value / taken.ceiling);
    return text;
  }

  void add(const Point& point, const char* metric, const Value& value, const char* unit, const Taken& taken) {
    add_row(table_, {point.submission, point.function, point.precision, point.offset, point.stride, point.n},
            metric, value, unit, taken);
  }

  std::size_t size_ = 0;
  std::vector<float> expected_sums_;
  Distribution values_ = uniform(-1, 1);
  Distribution whole_ = whole_numbers(-1000, 1000);
  Distribution small_ = whole_numbers(-8, 8);
};

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, WARPBOOK_CONTRACT_FILE,
                   {"submission", "function", "precision", "offset", "stride", "n"},
                   [](const BenchOptions& options, Table& table, const std::vector<Measured>& all) {
                     Bench bench(options, table);
                     bench.measure_yardsticks();
                     bench.measure(all);
                   });
}
