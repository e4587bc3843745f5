#pragma once
/// Comparisons that end an item with a sentence. A NaN is always wrong: every test is written as
/// !(error <= tolerance). If the call changed nothing at all, they report `unsolved` instead.

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "call/parallel.hpp"
#include "grader/failure.hpp"
#include "grader/reply.hpp"
#include "grader/text.hpp"

namespace warpbook {

namespace detail {

/// Where and how often two sequences differ, already in words.
struct Mismatch {
  std::size_t index = 0; ///< the first
  std::size_t count = 0;
  std::size_t total = 0;
  std::string actual;
  std::string expected;
  std::string tolerance; ///< empty for exact comparison
  bool actual_is_nan = false;
};

/// Fails the item about buffer `k`: `wrong-result`, or `unsolved`, or `output-unwritten`.
[[noreturn]] void fail_comparison(const Reply& reply, std::size_t k, const Mismatch& mismatch);
[[noreturn]] void fail_length(const Reply& reply, std::size_t k, std::size_t actual, std::size_t expected);
[[noreturn]] void fail_value(const Reply& reply, const std::string& actual, const std::string& expected);

} // namespace detail

/// The tolerance of element i, in the unit of the values.
using Tolerance = std::function<double(std::size_t)>;

/// Every element of buffer `k` must equal `expected`, bit patterns of zero and NaN aside: 0 equals -0,
/// and NaN equals nothing. Fails with `wrong-result`.
template <typename Range>
void expect_equal(const Reply& reply, std::size_t k, const Range& expected) {
  using T = std::remove_cvref_t<decltype(*std::data(expected))>;
  const std::span<const T> actual = reply.values<T>(k);
  if (actual.size() != std::size(expected)) detail::fail_length(reply, k, actual.size(), std::size(expected));
  const T* all_wanted = std::data(expected);
  if (all_hold(actual.size(), [&](std::size_t i) { return actual[i] == all_wanted[i]; })) return;
  std::optional<detail::Mismatch> mismatch;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const T& wanted = all_wanted[i];
    if (actual[i] == wanted) continue;
    if (!mismatch) {
      mismatch = {.index = i,
                  .count = 0,
                  .total = actual.size(),
                  .actual = to_text(actual[i]),
                  .expected = to_text(wanted),
                  .tolerance = {},
                  .actual_is_nan = !(actual[i] == actual[i])};
    }
    ++mismatch->count;
  }
  if (mismatch) detail::fail_comparison(reply, k, *mismatch);
}

/// Every element of the sampled() or returned() buffer `k` (of type T) must equal `expected(i)`, where i is
/// its place in the whole buffer. Fails with `wrong-result`, as expect_equal does.
template <typename T, typename Expected>
void expect_samples(const Reply& reply, std::size_t k, Expected expected) {
  const std::span<const T> actual = reply.values<T>(k);
  const std::vector<std::size_t>& indices = reply.indices(k);
  std::optional<detail::Mismatch> mismatch;
  for (std::size_t s = 0; s < actual.size(); ++s) {
    const std::size_t i = indices.empty() ? s : indices[s];
    const T wanted = expected(i);
    if (actual[s] == wanted) continue;
    if (!mismatch || i < mismatch->index) {
      const std::size_t count = mismatch ? mismatch->count : 0;
      mismatch = {.index = i,
                  .count = count,
                  .total = actual.size(),
                  .actual = to_text(actual[s]),
                  .expected = to_text(wanted),
                  .tolerance = {},
                  .actual_is_nan = !(actual[s] == actual[s])};
    }
    ++mismatch->count;
  }
  if (mismatch) detail::fail_comparison(reply, k, *mismatch);
}

/// Every element of the returned() buffer `k` (of type T) must equal `expected(i)`, which several threads ask for at the
/// same time. For large calls, whose values nobody holds. Where something is wrong, `ask_again` makes the call with
/// values at hand and fails with what these tell; else this fails, as expect_samples does.
template <typename T, typename Expected, typename AskAgain>
void expect_everywhere(const Reply& reply, std::size_t k, const Expected& expected,
                       const AskAgain& ask_again) {
  const std::span<const T> actual = reply.values<T>(k);
  if (all_hold(actual.size(), [&](std::size_t i) { return actual[i] == expected(i); })) return;
  ask_again();
  expect_samples<T>(reply, k, expected);
}

/// Every element i of buffer `k` (of type T) must lie within tolerance(i) of expected[i]. Fails with
/// `wrong-result`.
template <std::floating_point T>
void expect_near(const Reply& reply, std::size_t k, const std::vector<double>& expected,
                 const Tolerance& tolerance) {
  const std::span<const T> actual = reply.values<T>(k);
  if (actual.size() != expected.size()) detail::fail_length(reply, k, actual.size(), expected.size());
  std::optional<detail::Mismatch> mismatch;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double value = static_cast<double>(actual[i]);
    const double error = value < expected[i] ? expected[i] - value : value - expected[i];
    if (error <= tolerance(i)) continue;
    if (!mismatch) {
      const T rounded =
          static_cast<T>(expected[i]); // no digits that T has not, unless they make the difference
      mismatch = {.index = i,
                  .count = 0,
                  .total = actual.size(),
                  .actual = to_text(actual[i]),
                  .expected = rounded == actual[i] ? to_text(expected[i]) : to_text(rounded),
                  .tolerance = significant(tolerance(i)),
                  .actual_is_nan = actual[i] != actual[i]};
    }
    ++mismatch->count;
  }
  if (mismatch) detail::fail_comparison(reply, k, *mismatch);
}
template <std::floating_point T>
void expect_near(const Reply& reply, std::size_t k, const std::vector<double>& expected, double tolerance) {
  expect_near<T>(reply, k, expected, [tolerance](std::size_t) { return tolerance; });
}

/// The returned value must be `expected`. Fails with `wrong-result`.
template <typename T>
void expect_returned(const Reply& reply, T expected) {
  const T actual = reply.returned<T>();
  if (!(actual == expected)) detail::fail_value(reply, to_text(actual), to_text(expected));
}

/// `numerator / denominator`; a zero denominator fails the item with `nothing-counted`, because a
/// function that does nothing must not pass as ideal.
double per(std::uint64_t numerator, std::uint64_t denominator);

/// A measured quantity must be exactly `wanted`, else the item fails with `diagnosis` and `sentence`;
/// details give `what`, the value and the wanted one.
void expect_count(const std::string& what, double actual, double wanted, const std::string& diagnosis,
                  const std::string& sentence);
/// The same with both bounds, inclusive.
void expect_between(const std::string& what, double actual, double low, double high,
                    const std::string& diagnosis, const std::string& sentence);

} // namespace warpbook
