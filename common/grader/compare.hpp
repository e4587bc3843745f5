#pragma once
/// Comparisons that end an item with a sentence. A NaN is always wrong: every test is written as
/// !(error <= tolerance). If the call changed nothing at all, they report `unsolved` instead.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "call/parallel.hpp"
#include "grader/failure.hpp"
#include "grader/reply.hpp"
#include "grader/text.hpp"
#include "grader/wrong_values.hpp"

namespace warpbook {

namespace detail {

/// Where and how two sequences differ.
struct Mismatch {
  std::vector<WrongElement> wrong; ///< in the order of their indices; of very many the first
  std::size_t count = 0;
  std::size_t total = 0;
  std::string actual; ///< the first, in words, as are the next two
  std::string expected;
  std::string tolerance; ///< empty for exact comparison

  void add(const WrongElement& element) {
    constexpr std::size_t most = std::size_t{1} << 16;
    if (wrong.size() < most) wrong.push_back(element);
    ++count;
  }
};

/// Whether `expected` is what element i of buffer `k` was before the call.
template <typename T>
bool should_stay(const Reply& reply, std::size_t k, std::size_t i, const T& expected) {
  return reply.was(k, i, std::as_bytes(std::span(&expected, 1)));
}

template <typename T>
double as_number(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return std::numeric_limits<double>::quiet_NaN();
}

/// Fails the item about buffer `k`: `wrong-result`, or `unsolved`, or `output-unwritten`.
[[noreturn]] void fail_comparison(const Reply& reply, std::size_t k, const Mismatch& mismatch);
[[noreturn]] void fail_length(const Reply& reply, std::size_t k, std::size_t actual, std::size_t expected);
[[noreturn]] void fail_value(const Reply& reply, const std::string& actual, const std::string& expected);

} // namespace detail

/// The tolerance of element i, in the unit of the values.
using Tolerance = std::function<double(std::size_t)>;

/// Whether a value lies within `tolerance` of the wanted one. NaN does not.
bool near(std::floating_point auto value, double wanted, double tolerance) {
  return std::abs(value - wanted) <= tolerance;
}

/// Every element of buffer `k` must equal `expected`, bit patterns of zero and NaN aside: 0 equals -0,
/// and NaN equals nothing. Fails with `wrong-result`.
template <typename Range>
void expect_equal(const Reply& reply, std::size_t k, const Range& expected) {
  using T = std::remove_cvref_t<decltype(*std::data(expected))>;
  const std::span<const T> actual = reply.values<T>(k);
  if (actual.size() != std::size(expected)) detail::fail_length(reply, k, actual.size(), std::size(expected));
  const T* all_wanted = std::data(expected);
  if (all_hold(actual.size(), [&](std::size_t i) { return actual[i] == all_wanted[i]; })) return;
  detail::Mismatch mismatch;
  mismatch.total = actual.size();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const T& wanted = all_wanted[i];
    if (actual[i] == wanted) continue;
    if (mismatch.wrong.empty()) {
      mismatch.actual = to_text(actual[i]);
      mismatch.expected = to_text(wanted);
    }
    mismatch.add({i, detail::as_number(actual[i]), detail::as_number(wanted),
                  detail::should_stay(reply, k, i, wanted)});
  }
  detail::fail_comparison(reply, k, mismatch);
}

/// Every element of the sampled() or returned() buffer `k` (of type T) must equal `expected(i)`, where i is
/// its place in the whole buffer. Fails with `wrong-result`, as expect_equal does.
template <typename T, typename Expected>
void expect_samples(const Reply& reply, std::size_t k, Expected expected) {
  const std::span<const T> actual = reply.values<T>(k);
  const std::vector<std::size_t>& indices = reply.indices(k);
  detail::Mismatch mismatch;
  mismatch.total = actual.size();
  std::size_t first = std::numeric_limits<std::size_t>::max();
  for (std::size_t s = 0; s < actual.size(); ++s) {
    const std::size_t i = indices.empty() ? s : indices[s];
    const T wanted = expected(i);
    if (actual[s] == wanted) continue;
    if (i < first) {
      first = i;
      mismatch.actual = to_text(actual[s]);
      mismatch.expected = to_text(wanted);
    }
    mismatch.add({i, detail::as_number(actual[s]), detail::as_number(wanted), false});
  }
  std::ranges::sort(mismatch.wrong, {}, &WrongElement::index);
  if (!mismatch.wrong.empty()) detail::fail_comparison(reply, k, mismatch);
}

/// Every element of the returned() buffer `k` (of type T) must equal `expected(i)`, which several threads ask for at the
/// same time. For large calls, whose values are not kept. Where something is wrong, `ask_again` makes the call with
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
  detail::Mismatch mismatch;
  mismatch.total = actual.size();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (near(actual[i], expected[i], tolerance(i))) continue;
    const T rounded =
        static_cast<T>(expected[i]); // no digits that T has not, unless they make the difference
    if (mismatch.wrong.empty()) {
      mismatch.actual = to_text(actual[i]);
      mismatch.expected = rounded == actual[i] ? to_text(expected[i]) : to_text(rounded);
      mismatch.tolerance = significant(tolerance(i));
    }
    mismatch.add({i, static_cast<double>(actual[i]), expected[i], detail::should_stay(reply, k, i, rounded)});
  }
  if (!mismatch.wrong.empty()) detail::fail_comparison(reply, k, mismatch);
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

/// Tells whoever passes the item what was counted, and how little is possible: "read", "4.00 sectors per request, the
/// least". Of several that are about the same the first one stays.
void tell_measured(const std::string& what, const std::string& text);

/// A measured quantity must be exactly `wanted`, else the item fails with the message; details give `what`, the value and
/// the wanted one.
void expect_count(const std::string& what, double actual, double wanted, const LabMessage& message);
/// The same with both bounds, inclusive.
void expect_between(const std::string& what, double actual, double low, double high,
                    const LabMessage& message);

} // namespace warpbook
