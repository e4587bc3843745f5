#pragma once
/// What a dot product needs at least: the rubric judges by it, and the bench shows it beside what was counted.

#include <cstddef>
#include <cstdint>

#include "call/parallel.hpp"
#include "grader/traffic.hpp"

namespace dot_product {

using namespace warpbook;

constexpr std::size_t sector = 32; ///< bytes

/// Two arrays, of so many bytes each, read once: all their bytes, in no more sectors than they lie in, and `further` bytes
/// besides.
inline Need read_once_need(std::size_t bytes_of_each, std::size_t further = 0) {
  const std::size_t bytes = 2 * bytes_of_each;
  return {.least_bytes = bytes,
          .most_bytes = bytes + further,
          .most_sectors = 2 * pieces_of(bytes_of_each, sector) + further / sector};
}

/// What all accesses to shared memory took, atomics among them.
struct Wavefronts {
  std::uint64_t all = 0, ideal = 0;
};
inline Wavefronts wavefronts_of(const simt::Counters& c) {
  return {c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts,
          c.shared_load_ideal_wavefronts + c.shared_store_ideal_wavefronts +
              c.shared_atomic_ideal_wavefronts};
}

} // namespace dot_product
