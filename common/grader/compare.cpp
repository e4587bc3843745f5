#include "grader/compare.hpp"

#include "grader/context.hpp"
#include "grader/say.hpp"

#include <cmath>

namespace warpbook {
namespace detail {

void fail_comparison(const Reply& reply, std::size_t k, const Mismatch& mismatch) {
  require_solved(reply);
  const WrongElement& first = mismatch.wrong.front();
  Failure failure = wrong_element(reply, k, first.index, Did::computed, mismatch.actual, mismatch.expected);
  const std::size_t count = mismatch.count;
  failure.details.push_back(
      say("{count} of {total:element} {is_one?is|are} wrong; the first has index {index}.", count,
          mismatch.total, count == 1, first.index));
  if (!mismatch.tolerance.empty())
    failure.details.push_back(say("Allowed error there: {tolerance}.", mismatch.tolerance));
  if (mismatch.actual == "NaN" && failure.diagnoses.size() == 1) {
    failure.details.push_back(
        say("NaN (not a number) comes from an operation like 0/0, or from values never set."));
  }
  explain_wrong(failure, reply, k, mismatch.wrong, reply.sources());
  fail(std::move(failure));
}

void fail_length(const Reply& reply, std::size_t k, std::size_t actual, std::size_t expected) {
  throw std::logic_error("buffer " + reply.buffer_name(k) + " of " + reply.function() + " has " +
                         std::to_string(actual) + " elements, and the rubric expects " +
                         std::to_string(expected));
}

void fail_value(const Reply& reply, const std::string& actual, const std::string& expected) {
  require_solved(reply);
  fail("wrong-result",
       say("{function} returned {actual}; right is {expected}.", reply.function(), actual, expected));
}

} // namespace detail

double per(std::uint64_t numerator, std::uint64_t denominator) {
  if (denominator == 0)
    fail("nothing-counted", say("The function made none of the accesses that this item counts."));
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

void tell_measured(const std::string& what, const std::string& text) {
  auto& measured = context().measured;
  const bool is_told = std::ranges::any_of(measured, [&](const auto& told) { return told.what == what; });
  if (!is_told) measured.push_back({what, text});
}

void expect_count(const std::string& what, double actual, double wanted, const LabMessage& message) {
  if (actual == wanted) return;
  fail(message, {say("{what}: {actual}; it should be {wanted}.", what, to_text(actual), to_text(wanted))});
}

void expect_between(const std::string& what, double actual, double low, double high,
                    const LabMessage& message) {
  if (actual >= low && actual <= high) return;
  fail(message, {say("{what}: {actual}; it should lie between {low} and {high}.", what, to_text(actual),
                     to_text(low), to_text(high))});
}

} // namespace warpbook
