#pragma once

#include <cstdint>
#include <optional>

namespace simt {

/// What a division gives of which an x86 makes a signal; for 32 bits the lower half of each number.
struct Division {
  std::uint64_t quotient = 0, remainder = 0;
};

/// The division by zero, or of the lowest integer by -1, that device code was about to make; nothing if it was none. Once.
std::optional<Division> take_division();

} // namespace simt
