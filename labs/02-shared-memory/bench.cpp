// The sweeps of lab 02: gather_strided against the stride for words of 4, 8 and 16 bytes, transpose against a copy,
// stencil against the radius, and the other two at one size, for every submission that has them. On the simulator:
// wavefronts a request of shared memory, and sectors a request of global memory. On a GPU: effective bandwidth in GB/s
// (10^9 bytes), counting every byte that the task has to read or write once, and its ratio to a plain copy of as many
// bytes. Every output is checked before its time or counter is believed.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
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
/// Clocks and temperature drift, so the copy is measured again after so many points.
constexpr int points_for_one_copy = 8;

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

  /// What this machine does with as many bytes as a transposition moves; on a GPU only.
  void measure_yardsticks() {
    if (is_sim_) return;
    const std::size_t side = side_of(size_), bytes = 8 * side * side;
    for (const Yardstick yardstick : {Yardstick::copy, Yardstick::memcpy}) {
      const Summary time = yardsticks_->time(yardstick, bytes, timed_);
      const auto moved = static_cast<double>(bytes);
      const double speed = gigabytes_per_second(moved, time.median);
      add({"yardstick", name_of(yardstick), "f32", 1, 0, side, side}, "effective_bandwidth", speed,
          gigabytes_per_second(moved, time.interval.high), gigabytes_per_second(moved, time.interval.low),
          time.count, "GB/s");
      std::printf("%-46s %-22s %6.0f GB/s\n", "yardstick", name_of(yardstick), speed);
      std::fflush(stdout);
    }
  }

  void measure(const Measured& measured) {
    Submission submission(submission_options(options_, measured));
    const auto if_there = [&](const char* function, const std::function<void()>& sweep) {
      try {
        sweep();
      } catch (const ItemFailed& failed) {
        if (is_missing_function(failed)) return;
        throw std::runtime_error(measured.name + ": " + failed.what());
      }
      std::printf("%-46s %-22s %s\n", measured.name.c_str(), function, last_.c_str());
      std::fflush(stdout);
    };
    const std::string& name = measured.name;
    if_there("reverse_blocks", [&] { reverse(submission, name); });
    if_there("stencil", [&] { radii(submission, name); });
    if_there("two_arrays", [&] { arrays(submission, name); });
    if (options_.precision != Precision::f64) {
      if_there("gather_strided_f32",
               [&] { strides<float, float>(submission, name, CONTRACT(gather_strided_f32), "f32"); });
    }
    if (options_.precision != Precision::f32) {
      if_there("gather_strided_f64",
               [&] { strides<double, double>(submission, name, CONTRACT(gather_strided_f64), "f64"); });
    }
    if (options_.precision != Precision::f64) {
      if_there("gather_strided_f32x4",
               [&] { strides<Four, float>(submission, name, CONTRACT(gather_strided_f32x4), "f32x4"); });
      if_there("transpose", [&] { matrices(submission, name); });
    }
  }

private:
  void reverse(Submission& submission, const std::string& name) {
    const std::size_t n = size_;
    const auto function = CONTRACT(reverse_blocks);
    measure_point({name, function.name, "i32", 1, 0, 1, n}, 8.0 * static_cast<double>(n),
                  [&](const CallOptions& how) {
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
  void radii(Submission& submission, const std::string& name) {
    const std::size_t n = is_sim_ ? size_ / 8 : std::min<std::size_t>(size_, std::size_t{1} << 24);
    const auto function = CONTRACT(stencil);
    for (const unsigned radius : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 256u, 1024u, 4096u}) {
      if (is_sim_ && radius > 64) break;
      measure_point({name, function.name, "f32", 1, radius, 1, n}, 8.0 * static_cast<double>(n),
                    [&](const CallOptions& how) {
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

  void arrays(Submission& submission, const std::string& name) {
    const std::size_t numbers = 1024, letters = 4096;
    const std::size_t rows = std::max<std::size_t>(size_ * sizeof(float) / (8 * numbers + letters), 1);
    const auto function = CONTRACT(two_arrays);
    measure_point({name, function.name, "f64", 1, 0, rows, numbers},
                  2.0 * static_cast<double>(rows * (8 * numbers + letters)), [&](const CallOptions& how) {
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
  void strides(Submission& submission, const std::string& name, F function, const char* precision) {
    constexpr std::size_t parts = sizeof(T) / sizeof(V);
    for (std::size_t stride = 1; stride <= most_stride; ++stride) {
      const std::size_t n =
          std::max<std::size_t>(size_ * sizeof(float) / sizeof(T) / stride / 256 * 256, 256);
      measure_point({name, function.name, precision, stride, 0, 1, n},
                    2.0 * static_cast<double>(n * stride * sizeof(T)), [&](const CallOptions& how) {
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
  void matrices(Submission& submission, const std::string& name) {
    const std::size_t side = side_of(size_);
    const auto function = CONTRACT(transpose);
    for (const auto& [rows, cols] : {std::pair{side - 3, side + 5}, std::pair{side, side}}) {
      const std::size_t elements = rows * cols;
      measure_point({name, function.name, "f32", 1, 0, rows, cols}, 8.0 * static_cast<double>(elements),
                    [&](const CallOptions& how) {
                      Reply reply =
                          submission.call(how, function, poisoned<float>(elements).sampled(),
                                          generated<float>(elements, values_, seed).sampled(), rows, cols);
                      expect_samples<float>(reply, 0, [&](std::size_t i) {
                        return generated_element<float>(values_, seed, i % rows * cols + i / rows);
                      });
                      return reply;
                    });
    }
  }

  /// Makes the call, and adds what it cost. `call` has checked the output when it returns.
  void measure_point(const Point& point, double useful_bytes,
                     const std::function<Reply(const CallOptions&)>& call) {
    if (is_sim_) {
      const Reply reply = call(CallOptions{});
      const simt::Counters& c = reply.counters();
      last_.clear();
      const auto count = [&](const char* metric, const char* unit, std::uint64_t cost,
                             std::uint64_t requests) {
        if (requests == 0) return; // no shared memory, or not yet
        const double value = per(cost, requests);
        add(point, metric, value, value, value, 1, unit);
        char text[64];
        std::snprintf(text, sizeof text, "%s%.4g %s", last_.empty() ? "" : ", ", value, metric);
        last_ += text;
      };
      count("wavefronts_per_shared_load", "wavefronts", c.shared_load_wavefronts, c.shared_load_requests);
      count("wavefronts_per_shared_store", "wavefronts", c.shared_store_wavefronts, c.shared_store_requests);
      count("ideal_wavefronts", "wavefronts", c.shared_load_ideal_wavefronts, c.shared_load_requests);
      count("sectors_per_global_load", "sectors", c.global_load_sectors, c.global_load_requests);
      count("sectors_per_global_store", "sectors", c.global_store_sectors, c.global_store_requests);
      return;
    }
    const auto bytes = static_cast<std::size_t>(useful_bytes) / 8 * 8;
    if (bytes != copy_bytes_ || points_since_copy_ % points_for_one_copy == 0) {
      copy_ = yardsticks_->measure(Yardstick::copy, bytes, timed_);
      copy_bytes_ = bytes;
      points_since_copy_ = 0;
    }
    ++points_since_copy_;
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
    table_.add({point.submission, point.function, point.precision, point.stride, point.radius, point.rows,
                point.cols, metric, value, low, high, repetitions, unit});
  }

  const BenchOptions& options_;
  Table& table_;
  bool is_sim_;
  CallOptions timed_;
  std::size_t size_ = 0;
  std::optional<Yardsticks> yardsticks_;
  double copy_ = 0; ///< GB/s of a copy that moves copy_bytes_, lately
  std::size_t copy_bytes_ = 0;
  int points_since_copy_ = 0;
  std::string last_; ///< the last point in words, for the progress on the screen
  Distribution values_ = uniform(-1, 1);
  Distribution small_ = whole_numbers(-8, 8);
  Distribution many_ = uniform(-1'000'000, 1'000'000);
  Distribution chars_ = uniform(-128, 127);
};

} // namespace

int main(int argc, char** argv) {
  const BenchOptions options = parse_bench_options(argc, argv, WARPBOOK_CONTRACT_FILE);
  try {
    Table table = start_table(options, {"submission", "function", "precision", "stride", "radius", "rows",
                                        "cols", "metric", "value", "low", "high", "repetitions", "unit"});
    const std::vector<Measured> all = measured_modules(options.modules);
    Bench bench(options, table);
    bench.measure_yardsticks();
    for (const Measured& measured : all) bench.measure(measured);
    table.write(options.out);
    std::printf("%zu rows in %s\n", table.rows(), options.out.filename().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-02: %s\n", error.what());
    return 1;
  }
}
