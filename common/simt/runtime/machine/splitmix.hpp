// SplitMix64, by G. L. Steele Jr., D. Lea and C. H. Flood ("Fast splittable pseudorandom number generators", 2014).
#pragma once

#include <cstdint>

namespace simt {

/// The next 64 bits, which `state` decides; it may be any number at first.
inline std::uint64_t next_of_splitmix(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

} // namespace simt
