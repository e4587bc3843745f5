// Direction vectors of Sobol's quasirandom sequences, for curand_kernel.h and curand.h.
//
// Dimension 1 is van der Corput's sequence. Each further dimension has a primitive polynomial over GF(2), in the order of
// their degrees and then of their coefficients, and initial odd numbers m_i < 2^i. Those of dimensions 2 to 32 are the
// published ones of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J.
// Sci. Comput. 30 (2008) 2635-2654, data new-joe-kuo-6; further dimensions have random ones, whose pairs have not been
// searched for good projections.
#include "simt/runtime/machine/splitmix.hpp"
#include "simt_shim/entry_points.h"

#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <vector>

namespace {

constexpr unsigned sobol_dimensions = 20'000;
constexpr unsigned largest_degree = 18;

constexpr std::uint8_t joe_kuo[31][7] = {{1},
                                         {1, 3},
                                         {1, 3, 1},
                                         {1, 1, 1},
                                         {1, 1, 3, 3},
                                         {1, 3, 5, 13},
                                         {1, 1, 5, 5, 17},
                                         {1, 1, 5, 5, 5},
                                         {1, 1, 7, 11, 19},
                                         {1, 1, 5, 1, 1},
                                         {1, 1, 1, 3, 11},
                                         {1, 3, 5, 5, 31},
                                         {1, 3, 3, 9, 7, 49},
                                         {1, 1, 1, 15, 21, 21},
                                         {1, 3, 1, 13, 27, 49},
                                         {1, 1, 1, 15, 7, 5},
                                         {1, 3, 1, 15, 13, 25},
                                         {1, 1, 5, 5, 19, 61},
                                         {1, 3, 7, 11, 23, 15, 103},
                                         {1, 3, 7, 13, 13, 15, 69},
                                         {1, 1, 3, 13, 7, 35, 63},
                                         {1, 3, 5, 9, 1, 25, 53},
                                         {1, 3, 1, 13, 9, 35, 107},
                                         {1, 3, 1, 5, 27, 61, 31},
                                         {1, 1, 5, 11, 19, 41, 61},
                                         {1, 3, 5, 3, 3, 13, 69},
                                         {1, 1, 7, 13, 1, 19, 1},
                                         {1, 3, 7, 5, 13, 19, 59},
                                         {1, 1, 3, 9, 25, 29, 41},
                                         {1, 3, 5, 13, 23, 1, 55},
                                         {1, 3, 7, 3, 13, 59, 17}};

/// x^exponent modulo a polynomial of that degree, as bits.
std::uint32_t power_of_x(std::uint32_t exponent, std::uint32_t polynomial, unsigned degree) {
  const auto times = [&](std::uint32_t a, std::uint32_t b) {
    std::uint32_t product = 0;
    for (; b != 0; b >>= 1) {
      if (b & 1) product ^= a;
      a <<= 1;
      if (a >> degree & 1) a ^= polynomial;
    }
    return product;
  };
  std::uint32_t result = 1, square = degree == 1 ? 1 : 2;
  for (; exponent != 0; exponent >>= 1, square = times(square, square))
    if (exponent & 1) result = times(result, square);
  return result;
}

/// Whether x has the order 2^degree - 1 modulo the polynomial.
bool is_primitive(std::uint32_t polynomial, unsigned degree) {
  if (std::popcount(polynomial) % 2 == 0) return degree == 1; // else 1 is a root
  const std::uint32_t order = (1u << degree) - 1;
  if (power_of_x(order, polynomial, degree) != 1) return false;
  std::uint32_t rest = order;
  for (std::uint32_t prime = 2; prime * prime <= rest; ++prime) {
    if (rest % prime != 0) continue;
    while (rest % prime == 0) rest /= prime;
    if (power_of_x(order / prime, polynomial, degree) == 1) return false;
  }
  return rest == 1 || rest == order || power_of_x(order / rest, polynomial, degree) != 1;
}

struct Polynomial {
  std::uint32_t bits;
  unsigned degree;
};

std::vector<Polynomial> primitive_polynomials() {
  std::vector<Polynomial> found;
  for (unsigned degree = 1; degree <= largest_degree && found.size() < sobol_dimensions - 1; ++degree)
    for (std::uint32_t bits = (1u << degree) + 1; bits < 2u << degree && found.size() < sobol_dimensions - 1;
         bits += 2)
      if (is_primitive(bits, degree)) found.push_back({bits, degree});
  return found;
}

/// The vectors of one dimension: the words that a point's bits select, each with its leading bit set before the next's.
template <class Word>
void fill_vectors(Word* to, unsigned dimension, const Polynomial& polynomial) {
  constexpr unsigned bits = 8 * sizeof(Word);
  const auto [coefficients, degree] = polynomial;
  std::uint64_t random = dimension;
  for (unsigned i = 0; i < bits; ++i) {
    Word m = 0; // shifted so that its lowest bit is the one of weight 2^-(i + 1)
    if (i < degree) {
      m = dimension < std::size(joe_kuo) ? joe_kuo[dimension][i]
                                         : static_cast<Word>(next_of_splitmix(random) & ((1u << (i + 1)) - 1)) | 1;
      to[i] = m << (bits - 1 - i);
    } else {
      to[i] = to[i - degree] ^ to[i - degree] >> degree;
      for (unsigned k = 1; k < degree; ++k)
        if (coefficients >> (degree - k) & 1) to[i] ^= to[i - k];
    }
  }
}

/// Multiplies the vectors with a random matrix in which a bit of the result depends on itself and on more significant
/// ones: the points stay as evenly spread (Matousek's linear scramble).
template <class Word>
void scramble(Word* vectors, unsigned dimension) {
  constexpr unsigned bits = 8 * sizeof(Word);
  std::uint64_t random = ~std::uint64_t{dimension};
  std::array<Word, bits> rows;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const Word own = Word{1} << bit;
    rows[bit] = own | (static_cast<Word>(next_of_splitmix(random)) & ~(own | (own - 1)));
  }
  for (unsigned i = 0; i < bits; ++i) {
    Word scrambled = 0;
    for (unsigned bit = 0; bit < bits; ++bit)
      scrambled |= static_cast<Word>(std::popcount(static_cast<Word>(rows[bit] & vectors[i])) & 1) << bit;
    vectors[i] = scrambled;
  }
}

template <class Word>
std::vector<Word> all_vectors(bool scrambled) {
  constexpr unsigned bits = 8 * sizeof(Word);
  std::vector<Word> vectors(std::size_t{bits} * sobol_dimensions);
  static const std::vector<Polynomial> polynomials = primitive_polynomials();
  for (unsigned bit = 0; bit < bits; ++bit) vectors[bit] = Word{1} << (bits - 1 - bit);
  for (unsigned i = 0; i < sobol_dimensions - 1; ++i)
    fill_vectors(vectors.data() + std::size_t{bits} * (i + 1), i, polynomials[i]);
  if (scrambled)
    for (unsigned i = 0; i < sobol_dimensions; ++i) scramble(vectors.data() + std::size_t{bits} * i, i);
  return vectors;
}

template <class Word>
const void* vectors_of(bool scrambled) {
  if (scrambled) {
    static const std::vector<Word> vectors = all_vectors<Word>(true);
    return vectors.data();
  }
  static const std::vector<Word> vectors = all_vectors<Word>(false);
  return vectors.data();
}

template <class Word>
const void* constants_of() {
  static const std::vector<Word> constants = [] {
    std::vector<Word> numbers(sobol_dimensions);
    std::uint64_t random = 0x50b0150b01ull;
    for (Word& number : numbers) number = static_cast<Word>(next_of_splitmix(random));
    return numbers;
  }();
  return constants.data();
}

} // namespace

const void* __simt_sobol_vectors(int bits, bool scrambled) {
  return bits == 32 ? vectors_of<std::uint32_t>(scrambled) : vectors_of<std::uint64_t>(scrambled);
}
const void* __simt_sobol_constants(int bits) {
  return bits == 32 ? constants_of<std::uint32_t>() : constants_of<std::uint64_t>();
}
