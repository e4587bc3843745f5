#pragma once
/// What crosses between host and device in a call, beside what the contract allows: a result has to come from the device.

#include <cstdint>
#include <string>
#include <vector>

#include "simt/report/report.hpp"

namespace warpbook {

/// Bytes that may cross in one call of a function.
struct CrossingLimits {
  std::uint64_t to_host = 0, to_device = 0;
  std::uint64_t within_device = 0; ///< by copies in a kernel's place (simt::Crossing)
  bool operator==(const CrossingLimits&) const = default;
};

/// What the text of a contract (lab.hpp) allows `function`, as "at most 16 bytes to the host" (or "may go to the host") and
/// "at most 4,096 bytes to the device" in the comment above its declaration, or else in the contract's rules, which are the
/// comments before `extern "C"`. A limit that neither of them names is 0; "within the device" it is what some single elements take.
CrossingLimits crossing_limits(const std::string& contract_text, const std::string& function);

/// A call in which more has crossed than its contract allows.
struct Crossing {
  std::string function, call_text;
  CrossingLimits limits; ///< of all runs of the function in the call together
  std::vector<simt::Transfer> transfers;

  /// Bytes between host and device beyond the limits, in both directions.
  std::uint64_t excess() const;
  /// Whether copies have made more in a kernel's place than they may.
  bool copies_for_kernels() const;
};

/// The directions between host and device in which too much has crossed, the worse one first.
std::vector<simt::Crossing> ways_exceeded(const Crossing& crossing);

/// What the contract allows in this direction, in bytes.
std::uint64_t limit_of(const Crossing& crossing, simt::Crossing direction);

} // namespace warpbook
