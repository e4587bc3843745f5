#pragma once
/// What repeated times say: the middle value, how far they spread, and how well the middle is known.
/// Plain C++17; a program of your own needs nothing but -Icommon.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace warpbook {

/// The middle value; of an even number of values the mean of the two in the middle. Throws
/// std::invalid_argument if there are none.
inline double median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("median of no values");
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Both ends belong to it.
struct Interval {
  double low = 0;
  double high = 0;
};

/// How far the interval for the median reaches into the sorted values: the k-th smallest and the k-th largest
/// of n values enclose the median of what they were drawn from with at least 95%, and k is the largest such
/// number. 0: n values are too few (below 6) for any.
///
/// Each value lies below that median with probability 1/2, whatever the distribution is, so the number that
/// does is binomial; the interval misses only if fewer than k lie on one side.
inline std::size_t median_interval_rank(std::size_t n) {
  const double allowed = 0.025;                                     // on each side
  double below = 0;                                                 // P(fewer than k + 1 successes)
  double log_probability = -static_cast<double>(n) * std::log(2.0); // of exactly k successes
  for (std::size_t k = 0; k < n; ++k) {
    below += std::exp(log_probability);
    if (below > allowed) return k;
    log_probability += std::log(static_cast<double>(n - k)) - std::log(static_cast<double>(k + 1));
  }
  return 0;
}

/// The 95% confidence interval of the median, from order statistics alone: no bell curve is assumed, which
/// run times do not follow. With fewer than 6 values, for which there is none, the smallest and the largest.
/// Throws std::invalid_argument if there are no values.
inline Interval median_interval(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("interval of no values");
  std::sort(values.begin(), values.end());
  const std::size_t rank = std::max<std::size_t>(median_interval_rank(values.size()), 1);
  return {values[rank - 1], values[values.size() - rank]};
}

/// Repeated measurements of one thing, in the unit of the values.
struct Summary {
  std::size_t count = 0;
  double median = 0;
  Interval interval; ///< 95% confidence interval of the median
  double smallest = 0;
  double largest = 0;
  /// Half the middle half: (third quartile - first quartile) / 2. One value in two lies within about this of
  /// the median; a few late ones do not move it.
  double spread = 0;

  /// Half the width of the interval as a fraction of the median: 0.01 is "known to 1%".
  double uncertainty() const { return median == 0 ? 0 : (interval.high - interval.low) / 2 / median; }
};

/// Throws std::invalid_argument if there are no values.
inline Summary summarise(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("summary of no values");
  std::sort(values.begin(), values.end());
  const auto quartile = [&values](double part) { // between two values, proportionally
    const double place = part * static_cast<double>(values.size() - 1);
    const std::size_t below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
  };
  Summary summary;
  summary.count = values.size();
  summary.median = median(values);
  summary.interval = median_interval(values);
  summary.smallest = values.front();
  summary.largest = values.back();
  summary.spread = (quartile(0.75) - quartile(0.25)) / 2;
  return summary;
}

/// GB/s, with 1 GB = 10^9 bytes as on data sheets (a GiB, 2^30 bytes, is 7% more). Throws
/// std::invalid_argument unless `seconds` is above 0: a time of nothing is a defect, not a speed.
inline double gigabytes_per_second(double bytes, double seconds) {
  if (!(seconds > 0)) throw std::invalid_argument("a bandwidth needs a time above 0");
  return bytes / seconds * 1e-9;
}

} // namespace warpbook
