#pragma once
/// What crosses between host and device in a call, beside what the contract allows: a result has to come from the device.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/failure.hpp"
#include "simt/report/report.hpp"

namespace warpbook {

/// Bytes that may cross in one call of a function.
struct CrossingLimits {
  std::uint64_t to_host = 0, to_device = 0;
  bool operator==(const CrossingLimits&) const = default;
};

/// What the text of a contract (lab.hpp) allows `function`, as "at most 16 bytes to the host" and "at most 4,096 bytes to the
/// device" in the comment above its declaration, or else in the contract's rules, which are the comments before `extern "C"`.
/// What neither of them says is nothing.
CrossingLimits crossing_limits(const std::string& contract_text, const std::string& function);

/// A call in which more has crossed than its contract allows.
struct Crossing {
  std::string function, call_text;
  CrossingLimits limits; ///< of all runs of the function in the call together
  std::vector<simt::Transfer> transfers;

  /// Bytes beyond the limits, in both directions.
  std::uint64_t excess() const;
};

/// The failure of an item whose result is right, in which that call was made.
Failure computed_by_host(const Crossing& crossing);

/// Says of a call in an item that fails for another reason that its copies have to go, too.
void warn_of(Failure& failure, const Crossing& crossing);

class Reply;
/// Fails the item if more has crossed in the call than its contract allows. Its result must have been found right before:
/// whoever goes on to judge how it came about asks this first. An item that asks nothing of the sort, and passes, is asked
/// at its end.
void expect_from_device(const Reply& reply);

} // namespace warpbook
