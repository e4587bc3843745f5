// The memory of the computer that the simulator runs on. The simulated device may have more.
#pragma once

#include <cstdint>
#include <optional>

namespace simt::program {

/// In bytes. `total` is that of the computer, or what a container allows.
struct MemoryUse {
  std::uint64_t held = 0; ///< by this process
  std::uint64_t left = 0; ///< for all processes
  std::uint64_t total = 0;
};

/// Nothing where the system does not say. A signal handler may ask.
std::optional<MemoryUse> memory_use();

/// Whether this process has to stop, before the system kills one: little is left, and it holds much itself. A quarter of a
/// second must not be enough to use what is left.
constexpr bool is_used_up(const MemoryUse& use) {
  constexpr std::uint64_t least = std::uint64_t{1} << 30;
  const std::uint64_t reserve = use.total / 8 < least ? least : use.total / 8;
  return use.left < reserve && use.held > use.total / 4;
}

} // namespace simt::program
