#pragma once
/// The loop around a measurement. Plain C++17: what is timed, and with which clock, is the caller's.
///
///   DeviceStopwatch stopwatch(L2::cold);
///   BenchmarkOptions options;
///   options.set_up = [&] { poison(out, n); };
///   options.validate = [&] { compare(out, n); };
///   Summary time = benchmark(stopwatch, [&] { kernel<<<blocks, threads>>>(out, in, n); }, options);

#include <chrono>
#include <functional>
#include <stdexcept>
#include <vector>

#include "timing/statistics.hpp"

namespace warpbook {

/// How often, and what is done around each repetition. Nothing of that is timed.
struct BenchmarkOptions {
  int warm_ups = 2;           ///< repetitions that are not timed: first launches load code, clocks rise
  int at_least = 11;          ///< timed repetitions
  int at_most = 201;          ///< the same; at_least == at_most: exactly so many
  double uncertainty = 0.005; ///< repeat until the median is known to this fraction (Summary::uncertainty)
  /// Before every repetition, warm-ups too: puts inputs back that the work overwrites, and fills outputs with
  /// what no right answer holds, so that work which does nothing is not the fastest.
  std::function<void()> set_up = [] {};
  /// After the last timed repetition, whose outputs are still there. Throws if they are wrong.
  std::function<void()> validate = [] {};
};

/// Times of the repetitions of `work`, in seconds, in their order. A stopwatch has a function
/// `double measure(work)` that runs `work` once and says how many seconds it took. Throws
/// std::invalid_argument for options that allow no timed repetition, and whatever the hooks throw.
template <typename Stopwatch, typename Work>
std::vector<double> repeat(Stopwatch&& stopwatch, Work&& work, const BenchmarkOptions& options = {}) {
  if (options.at_least < 1 || options.at_most < options.at_least || options.warm_ups < 0) {
    throw std::invalid_argument("a benchmark needs 1 <= at_least <= at_most and warm_ups >= 0");
  }
  for (int i = 0; i < options.warm_ups; ++i) {
    options.set_up();
    static_cast<void>(stopwatch.measure(work));
  }
  std::vector<double> seconds;
  const std::size_t at_least = static_cast<std::size_t>(options.at_least);
  const std::size_t at_most = static_cast<std::size_t>(options.at_most);
  while (seconds.size() < at_most) {
    options.set_up();
    seconds.push_back(stopwatch.measure(work));
    // Below 6 values there is no interval to go by.
    const bool enough = seconds.size() >= at_least && median_interval_rank(seconds.size()) > 0;
    if (enough && summarise(seconds).uncertainty() <= options.uncertainty) break;
  }
  options.validate();
  return seconds;
}

/// repeat(), summarised: median, interval and spread in seconds.
template <typename Stopwatch, typename Work>
Summary benchmark(Stopwatch&& stopwatch, Work&& work, const BenchmarkOptions& options = {}) {
  return summarise(repeat(stopwatch, work, options));
}

/// Wall-clock time on the host. A kernel launch returns before the kernel has run, so this stopwatch measures
/// device work only if the work waits for it (cudaDeviceSynchronize), and then with the launch's latency.
struct HostStopwatch {
  template <typename Work>
  double measure(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

} // namespace warpbook
