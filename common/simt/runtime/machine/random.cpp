// Jumps ahead in the sequence of the generator XORWOW, for curand_kernel.h. All but its counter is linear over bits:
// one step multiplies the 160 bits of the state by a matrix, and 2^k steps by that matrix squared k times.
#include "simt_shim/entry_points.h"

#include <array>
#include <cstdint>
#include <vector>

namespace {

using Bits = std::array<std::uint32_t, 5>;
using Matrix = std::array<Bits, 160>; // row i is what becomes of bit i

void step(Bits& v) {
  const std::uint32_t t = v[0] ^ (v[0] >> 2);
  v = {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

Bits image_of(const Matrix& matrix, const Bits& v) {
  Bits result{};
  for (unsigned bit = 0; bit < 160; ++bit)
    if (v[bit / 32] >> bit % 32 & 1)
      for (unsigned word = 0; word < 5; ++word) result[word] ^= matrix[bit][word];
  return result;
}

/// The matrix of 2^k steps.
const Matrix& power(unsigned k) {
  static std::vector<Matrix> powers; // no pointer to one is kept
  if (powers.empty()) {
    Matrix& one = powers.emplace_back();
    for (unsigned bit = 0; bit < 160; ++bit) {
      one[bit] = {};
      one[bit][bit / 32] = 1u << bit % 32;
      step(one[bit]);
    }
  }
  while (powers.size() <= k) {
    Matrix square;
    for (unsigned bit = 0; bit < 160; ++bit) square[bit] = image_of(powers.back(), powers.back()[bit]);
    powers.push_back(square);
  }
  return powers[k];
}

} // namespace

void __simt_random_skip(unsigned int* state, unsigned long long count, unsigned int log2_unit) {
  Bits v{state[0], state[1], state[2], state[3], state[4]};
  for (unsigned k = 0; count >> k != 0; ++k) {
    if (count >> k & 1) v = image_of(power(log2_unit + k), v);
    if (k == 63) break;
  }
  for (unsigned word = 0; word < 5; ++word) state[word] = v[word];
}
