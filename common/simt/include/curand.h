// The host API of cuRAND: arrays of pseudorandom numbers, from XORWOW with cuRAND's default order whatever generator is
// asked for, and of quasirandom ones from Sobol's sequences.
#ifndef CURAND_H_
#define CURAND_H_

#include "curand_kernel.h"

#include <mutex>
#include <set>
#include <vector>

enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef enum curandStatus curandStatus_t;

enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
typedef enum curandRngType curandRngType_t;

enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
};
typedef enum curandOrdering curandOrdering_t;

enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;

/// Direction vectors of 20,000 dimensions, on the host: Joe and Kuo's for the first 32 (those of cuRAND have other initial
/// numbers). The constants are what a scrambled sequence begins with.
inline curandStatus curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                                curandDirectionVectorSet set) {
  const bool is_scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
  if (!vectors || (!is_scrambled && set != CURAND_DIRECTION_VECTORS_32_JOEKUO6))
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = (curandDirectionVectors32_t*)__simt_sobol_vectors(32, is_scrambled);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                                curandDirectionVectorSet set) {
  const bool is_scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
  if (!vectors || (!is_scrambled && set != CURAND_DIRECTION_VECTORS_64_JOEKUO6))
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = (curandDirectionVectors64_t*)__simt_sobol_vectors(64, is_scrambled);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandGetScrambleConstants32(unsigned int** constants) {
  *constants = (unsigned int*)__simt_sobol_constants(32);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandGetScrambleConstants64(unsigned long long** constants) {
  *constants = (unsigned long long*)__simt_sobol_constants(64);
  return CURAND_STATUS_SUCCESS;
}

/// Pseudorandom: number i of an array is a draw of generator i % 4096; generator k is subsequence k. Quasirandom: an array
/// has as many numbers of each dimension, those of the first one first.
struct curandGenerator_st {
  curandRngType type = CURAND_RNG_PSEUDO_XORWOW;
  bool on_host = false;
  unsigned long long seed = 0, offset = 0;
  unsigned int dimensions = 1;
  std::vector<curandState> states; ///< made at the first draw
  std::size_t next = 0;

  bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  bool is_64_bit() const { return type >= CURAND_RNG_QUASI_SOBOL64; }
  bool is_scrambled() const {
    return type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }
  void restart() {
    states.clear();
    next = 0;
  }
  curandState* draw() {
    if (states.empty()) {
      states.resize(4096);
      for (std::size_t k = 0; k < states.size(); ++k) curand_init(seed, k, offset, &states[k]);
    }
    return &states[next++ % states.size()];
  }
  template <class State, class Word, class T, class Draw>
  void draw_sobol(std::vector<T>& numbers, Draw number) {
    constexpr unsigned bits = 8 * sizeof(Word);
    const Word* vectors = static_cast<const Word*>(__simt_sobol_vectors(bits, is_scrambled()));
    const Word* constants = static_cast<const Word*>(__simt_sobol_constants(bits));
    const std::size_t each = numbers.size() / dimensions;
    for (unsigned int dimension = 0; dimension < dimensions; ++dimension) {
      State state;
      simt::random::sobol_init(vectors + std::size_t{bits} * dimension,
                               is_scrambled() ? constants[dimension] : Word{0},
                               static_cast<Word>(offset + next), &state);
      for (std::size_t i = 0; i < each; ++i) numbers[dimension * each + i] = static_cast<T>(number(&state));
    }
    next += each;
  }
  /// `number` gives one from the state of any generator.
  template <class T, class Draw>
  curandStatus fill(T* to, std::size_t count, Draw number) {
    if (is_quasi() && count % dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    std::vector<T> numbers(count);
    if (is_64_bit())
      draw_sobol<curandStateSobol64, unsigned long long>(numbers, number);
    else if (is_quasi())
      draw_sobol<curandStateSobol32, unsigned int>(numbers, number);
    else
      for (T& value : numbers) value = static_cast<T>(number(draw()));
    if (on_host)
      std::memcpy(to, numbers.data(), count * sizeof(T));
    else if (cudaMemcpy(to, numbers.data(), count * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
      return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
  }
  /// The pseudorandom ones come in pairs.
  bool is_odd(std::size_t count) const { return !is_quasi() && count % 2 != 0; }
};
typedef struct curandGenerator_st* curandGenerator_t;

namespace simt::random {

/// The generators that exist. A handle that was never made, or whose generator is destroyed, is not among them, whatever
/// it points to.
class Generators {
public:
  bool has(curandGenerator_t generator) {
    const std::lock_guard turn(mutex_);
    return made_.count(generator) != 0;
  }
  void add(curandGenerator_t generator) {
    const std::lock_guard turn(mutex_);
    made_.insert(generator);
  }
  bool remove(curandGenerator_t generator) {
    const std::lock_guard turn(mutex_);
    return made_.erase(generator) != 0;
  }

private:
  std::mutex mutex_;
  std::set<curandGenerator_t> made_;
};

/// Never destroyed: destructors of the program's own static objects may still destroy generators.
inline Generators& generators() {
  static Generators* const all = new Generators;
  return *all;
}

inline bool is_made(curandGenerator_t generator) { return generators().has(generator); }

} // namespace simt::random

inline curandStatus curandCreateGenerator(curandGenerator_t* generator, curandRngType type) {
  const bool is_pseudo = type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
                         type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_MTGP32 ||
                         type == CURAND_RNG_PSEUDO_MT19937 || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
  const bool is_quasi = type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  if (!is_pseudo && !is_quasi) return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st;
  (*generator)->type = type;
  simt::random::generators().add(*generator);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType type) {
  const curandStatus status = curandCreateGenerator(generator, type);
  if (status == CURAND_STATUS_SUCCESS) (*generator)->on_host = true;
  return status;
}
inline curandStatus curandDestroyGenerator(curandGenerator_t generator) {
  if (!simt::random::generators().remove(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  generator->restart();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                            unsigned int dimensions) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > 20000) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = dimensions;
  generator->restart();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->offset = offset;
  generator->restart();
  return CURAND_STATUS_SUCCESS;
}
/// There is one order, the default one.
inline curandStatus curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering order) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  const bool is_quasi = order == CURAND_ORDERING_QUASI_DEFAULT;
  const bool is_order =
      is_quasi || (order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC);
  return is_order && is_quasi == generator->is_quasi() ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
inline curandStatus curandSetStream(curandGenerator_t generator, cudaStream_t) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandGenerateSeeds(curandGenerator_t generator) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return CURAND_STATUS_SUCCESS;
}
/// 32 bits each; generators of 64 bits have curandGenerateLongLong.
inline curandStatus curandGenerate(curandGenerator_t generator, unsigned int* to, std::size_t count) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_64_bit()) return CURAND_STATUS_TYPE_ERROR;
  return generator->fill(to, count, [](auto* state) { return curand(state); });
}
inline curandStatus curandGenerateLongLong(curandGenerator_t generator, unsigned long long* to,
                                           std::size_t count) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->is_64_bit()) return CURAND_STATUS_TYPE_ERROR;
  return generator->fill(to, count, [](auto* state) { return curand(state); });
}
inline curandStatus curandGenerateUniform(curandGenerator_t generator, float* to, std::size_t count) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return generator->fill(to, count, [](auto* state) { return curand_uniform(state); });
}
inline curandStatus curandGenerateUniformDouble(curandGenerator_t generator, double* to, std::size_t count) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return generator->fill(to, count, [](auto* state) { return curand_uniform_double(state); });
}
inline curandStatus curandGenerateNormal(curandGenerator_t generator, float* to, std::size_t count,
                                         float mean, float deviation) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_odd(count)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generator->fill(to, count, [=](auto* state) { return mean + deviation * curand_normal(state); });
}
inline curandStatus curandGenerateNormalDouble(curandGenerator_t generator, double* to, std::size_t count,
                                               double mean, double deviation) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_odd(count)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generator->fill(to, count,
                         [=](auto* state) { return mean + deviation * curand_normal_double(state); });
}
inline curandStatus curandGenerateLogNormal(curandGenerator_t generator, float* to, std::size_t count,
                                            float mean, float deviation) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_odd(count)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generator->fill(to, count, [=](auto* state) { return curand_log_normal(state, mean, deviation); });
}
inline curandStatus curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, std::size_t count,
                                                  double mean, double deviation) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_odd(count)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generator->fill(to, count,
                         [=](auto* state) { return curand_log_normal_double(state, mean, deviation); });
}
inline curandStatus curandGeneratePoisson(curandGenerator_t generator, unsigned int* to, std::size_t count,
                                          double mean) {
  if (!simt::random::is_made(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return generator->fill(to, count, [=](auto* state) { return curand_poisson(state, mean); });
}

#endif
