// The sweeps of lab 02: gather_strided against the stride for words of 4, 8 and 16 bytes, transpose against a copy,
// stencil against the radius, and the other two at one size, for every submission that has them. On the simulator:
// wavefronts a request of shared memory, and sectors a request of global memory. On a GPU: effective bandwidth in GB/s
// (10^9 bytes), counting every byte that the task has to read or write once, and its ratio to a plain copy of as many
// bytes. Every output is checked before its time or counter is believed: in the calls that reverse(), radii(), arrays(),
// strides() and matrices() add to the plan, which takes the times (bench/plan.hpp).

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "grader/compare.hpp"
#include "grader/yardstick.hpp"
#include "lab.hpp"

using namespace warpbook;

/// For comparisons of outputs.
static bool operator==(const Four& a, const Four& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

namespace {

constexpr std::size_t sim_elements = 1 << 15;
constexpr std::size_t most_stride = 32;
constexpr std::uint64_t seed = 1;

/// Where a row stands in the table.
struct Point {
  std::string submission;
  std::string function;
  std::string precision;
  std::size_t stride = 1;
  std::size_t radius = 0;
  std::size_t rows = 1;
  std::size_t cols = 0; ///< of a matrix; of all others, elements
};

/// The smallest power of two whose square is at least `elements`.
std::size_t side_of(std::size_t elements) {
  std::size_t side = 32;
  while (side * side < elements) side *= 2;
  return side;
}

class Bench : Sweep {
public:
  Bench(const BenchOptions& options, Table& table) : Sweep(options, table) {
    size_ = elements(sim_elements, sizeof(float));
  }

  /// What this machine does with as many bytes as a transposition moves; on a GPU only.
  void measure_yardsticks() {
    if (is_sim_) return;
    const std::size_t side = side_of(size_), bytes = 8 * side * side;
    for (const Yardstick yardstick : {Yardstick::copy, Yardstick::memcpy}) {
      const Taken taken = show_yardstick(yardstick, bytes);
      const Value speed = rate(1e-9 * static_cast<double>(bytes), taken.time());
      add({"yardstick", name_of(yardstick), "f32", 1, 0, side, side}, "effective_bandwidth", speed, "GB/s",
          taken);
    }
  }

  void measure(const std::vector<Measured>& all) {
    for (const Measured& measured : all) {
      reverse(measured);
      radii(measured);
      arrays(measured);
      if (wanted(Precision::f32)) strides<float, float>(measured, CONTRACT(gather_strided_f32), "f32");
      if (wanted(Precision::f64)) strides<double, double>(measured, CONTRACT(gather_strided_f64), "f64");
      if (wanted(Precision::f32)) {
        strides<Four, float>(measured, CONTRACT(gather_strided_f32x4), "f32x4");
        matrices(measured);
      }
    }
    plan_.run();
  }

private:
  void reverse(const Measured& measured) {
    const std::size_t n = size_;
    const auto function = CONTRACT(reverse_blocks);
    measure_point(measured, {measured.name, function.name, "i32", 1, 0, 1, n}, 8.0 * static_cast<double>(n),
                  [=, this](Submission& submission, const CallOptions& how) {
                    Reply reply = submission.call(how, function, generated<int>(n, many_, seed).sampled(), n);
                    expect_samples<int>(reply, 0, [&](std::size_t i) {
                      const std::size_t first = i / reverse_piece * reverse_piece;
                      const std::size_t length = std::min(reverse_piece, n - first);
                      return generated_element<int>(many_, seed, first + length - 1 - (i - first));
                    });
                    return reply;
                  });
  }

  /// Fewer elements than elsewhere: a radius of 4096 makes 8193 additions of each.
  void radii(const Measured& measured) {
    const std::size_t n = is_sim_ ? size_ / 8 : std::min<std::size_t>(size_, std::size_t{1} << 24);
    const auto function = CONTRACT(stencil);
    for (const unsigned radius : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 256u, 1024u, 4096u}) {
      if (is_sim_ && radius > 64) break;
      measure_point(measured, {measured.name, function.name, "f32", 1, radius, 1, n},
                    8.0 * static_cast<double>(n), [=, this](Submission& submission, const CallOptions& how) {
                      Reply reply =
                          submission.call(how, function, poisoned<float>(n).sampled(256),
                                          generated<float>(n, small_, seed).sampled(256), n, radius);
                      expect_samples<float>(reply, 0, [&](std::size_t i) {
                        const std::size_t last = std::min<std::size_t>(n - 1, i + radius);
                        float sum = 0; // whole numbers: every order of addition gives the exact sum
                        for (std::size_t j = i < radius ? 0 : i - radius; j <= last; ++j)
                          sum += generated_element<float>(small_, seed, j);
                        return sum;
                      });
                      return reply;
                    });
    }
  }

  void arrays(const Measured& measured) {
    const std::size_t numbers = 1024, letters = 4096;
    const std::size_t rows = std::max<std::size_t>(size_ * sizeof(float) / (8 * numbers + letters), 1);
    const auto function = CONTRACT(two_arrays);
    measure_point(measured, {measured.name, function.name, "f64", 1, 0, rows, numbers},
                  2.0 * static_cast<double>(rows * (8 * numbers + letters)),
                  [=, this](Submission& submission, const CallOptions& how) {
                    Reply reply = submission.call(
                        how, function, generated<double>(rows * numbers, values_, seed).sampled(),
                        generated<char>(rows * letters, chars_, seed).sampled(), rows, numbers, letters);
                    expect_samples<double>(reply, 0, [&](std::size_t i) {
                      return generated_element<double>(values_, seed,
                                                       i / numbers * numbers + numbers - 1 - i % numbers);
                    });
                    expect_samples<char>(reply, 1, [&](std::size_t i) {
                      return generated_element<char>(chars_, seed,
                                                     i / letters * letters + letters - 1 - i % letters);
                    });
                    return reply;
                  });
  }

  /// T is the word, V what it is made of. The arrays have the same bytes at every stride and for every word.
  template <typename T, typename V, typename F>
  void strides(const Measured& measured, F function, const char* precision) {
    constexpr std::size_t parts = sizeof(T) / sizeof(V);
    for (std::size_t stride = 1; stride <= most_stride; ++stride) {
      const std::size_t n =
          std::max<std::size_t>(size_ * sizeof(float) / sizeof(T) / stride / 256 * 256, 256);
      measure_point(measured, {measured.name, function.name, precision, stride, 0, 1, n},
                    2.0 * static_cast<double>(n * stride * sizeof(T)),
                    [=, this](Submission& submission, const CallOptions& how) {
                      Reply reply = submission.call(
                          how, function, generated<T, V>(n * stride, constant(-1), 0).sampled(),
                          generated<T, V>(n * stride, values_, seed).sampled(), n, stride);
                      expect_samples<T>(reply, 0, [&](std::size_t j) {
                        const std::size_t from = (j % n * stride + j / n) * parts;
                        T word;
                        V made[parts];
                        for (std::size_t p = 0; p < parts; ++p)
                          made[p] = generated_element<V>(values_, seed, from + p);
                        std::memcpy(&word, made, sizeof word);
                        return word;
                      });
                      return reply;
                    });
    }
  }

  /// A square of a power of two, and one whose rows begin anywhere.
  void matrices(const Measured& measured) {
    const std::size_t side = side_of(size_);
    const auto function = CONTRACT(transpose);
    for (const auto& shape : {std::pair{side - 3, side + 5}, std::pair{side, side}}) {
      const std::size_t rows = shape.first, cols = shape.second;
      const std::size_t elements = rows * cols;
      measure_point(
          measured, {measured.name, function.name, "f32", 1, 0, rows, cols},
          8.0 * static_cast<double>(elements), [=, this](Submission& submission, const CallOptions& how) {
            Reply reply = submission.call(how, function, poisoned<float>(elements).sampled(),
                                          generated<float>(elements, values_, seed).sampled(), rows, cols);
            expect_samples<float>(reply, 0, [&](std::size_t i) {
              return generated_element<float>(values_, seed, i % rows * cols + i / rows);
            });
            return reply;
          });
    }
  }

  /// Plans the call. `call` has checked the output when it returns.
  void measure_point(const Measured& measured, const Point& point, double useful_bytes,
                     const Plan::Call& call) {
    const auto report = [=, this](const Taken& taken) {
      return is_sim_ ? count(point, taken) : time(point, useful_bytes, taken);
    };
    plan_.add(point.function, {measured,
                               point.function,
                               point.function,
                               call,
                               report,
                               std::pair{Yardstick::copy, static_cast<std::size_t>(useful_bytes)},
                               {}});
  }

  std::string count(const Point& point, const Taken& taken) {
    const simt::Counters& c = taken.reply->counters();
    std::string text;
    const auto each = [&](const char* metric, const char* unit, std::uint64_t cost, std::uint64_t requests) {
      if (requests == 0) return; // no shared memory, or not yet
      const double value = per(cost, requests);
      add(point, metric, exactly(value), unit, taken);
      char words[64];
      std::snprintf(words, sizeof words, "%s%.4g %s", text.empty() ? "" : ", ", value, metric);
      text += words;
    };
    each("wavefronts_per_shared_load", "wavefronts", c.shared_load_wavefronts, c.shared_load_requests);
    each("wavefronts_per_shared_store", "wavefronts", c.shared_store_wavefronts, c.shared_store_requests);
    each("ideal_wavefronts", "wavefronts", c.shared_load_ideal_wavefronts, c.shared_load_requests);
    each("sectors_per_global_load", "sectors", c.global_load_sectors, c.global_load_requests);
    each("sectors_per_global_store", "sectors", c.global_store_sectors, c.global_store_requests);
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
    add_row(table_,
            {point.submission, point.function, point.precision, point.stride, point.radius, point.rows,
             point.cols},
            metric, value, unit, taken);
  }

  std::size_t size_ = 0;
  Distribution values_ = uniform(-1, 1);
  Distribution small_ = whole_numbers(-8, 8);
  Distribution many_ = uniform(-1'000'000, 1'000'000);
  Distribution chars_ = uniform(-128, 127);
};

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, WARPBOOK_CONTRACT_FILE,
                   {"submission", "function", "precision", "stride", "radius", "rows", "cols"},
                   [](const BenchOptions& options, Table& table, const std::vector<Measured>& all) {
                     Bench bench(options, table);
                     bench.measure_yardsticks();
                     bench.measure(all);
                   });
}
