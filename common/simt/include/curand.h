// The host API of cuRAND: arrays of random numbers, from XORWOW with cuRAND's default order.
#ifndef CURAND_H_
#define CURAND_H_

#include "curand_kernel.h"

#include <vector>

enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
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
};
typedef enum curandRngType curandRngType_t;

/// Number i of an array is a draw of generator i % 4096; generator k is subsequence k.
struct curandGenerator_st {
  bool on_host = false;
  unsigned long long seed = 0, offset = 0;
  std::vector<curandState> states; ///< made at the first draw
  std::size_t next = 0;

  curandState* draw() {
    if (states.empty()) {
      states.resize(4096);
      for (std::size_t k = 0; k < states.size(); ++k) curand_init(seed, k, offset, &states[k]);
    }
    return &states[next++ % states.size()];
  }
  template <class T, class Draw>
  curandStatus fill(T* to, std::size_t count, Draw number) {
    std::vector<T> numbers(count);
    for (T& value : numbers) value = static_cast<T>(number(draw()));
    if (on_host)
      std::memcpy(to, numbers.data(), count * sizeof(T));
    else if (cudaMemcpy(to, numbers.data(), count * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
      return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
  }
};
typedef struct curandGenerator_st* curandGenerator_t;

inline curandStatus curandCreateGenerator(curandGenerator_t* generator, curandRngType type) {
  if (type >= CURAND_RNG_QUASI_DEFAULT) return CURAND_STATUS_TYPE_ERROR; // pseudorandom ones alone
  *generator = new curandGenerator_st;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType type) {
  const curandStatus status = curandCreateGenerator(generator, type);
  if (status == CURAND_STATUS_SUCCESS) (*generator)->on_host = true;
  return status;
}
inline curandStatus curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  generator->seed = seed;
  generator->states.clear();
  generator->next = 0;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  generator->offset = offset;
  generator->states.clear();
  generator->next = 0;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus curandSetStream(curandGenerator_t, cudaStream_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus curandGenerate(curandGenerator_t generator, unsigned int* to, std::size_t count) {
  return generator->fill(to, count, [](curandState* state) { return curand(state); });
}
inline curandStatus curandGenerateUniform(curandGenerator_t generator, float* to, std::size_t count) {
  return generator->fill(to, count, [](curandState* state) { return curand_uniform(state); });
}
inline curandStatus curandGenerateUniformDouble(curandGenerator_t generator, double* to, std::size_t count) {
  return generator->fill(to, count, [](curandState* state) { return curand_uniform_double(state); });
}
inline curandStatus curandGenerateNormal(curandGenerator_t generator, float* to, std::size_t count,
                                         float mean, float deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generator->fill(to, count,
                         [=](curandState* state) { return mean + deviation * curand_normal(state); });
}
inline curandStatus curandGenerateNormalDouble(curandGenerator_t generator, double* to, std::size_t count,
                                               double mean, double deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generator->fill(to, count,
                         [=](curandState* state) { return mean + deviation * curand_normal_double(state); });
}
inline curandStatus curandGenerateLogNormal(curandGenerator_t generator, float* to, std::size_t count,
                                            float mean, float deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generator->fill(to, count,
                         [=](curandState* state) { return curand_log_normal(state, mean, deviation); });
}
inline curandStatus curandGeneratePoisson(curandGenerator_t generator, unsigned int* to, std::size_t count,
                                          double mean) {
  return generator->fill(to, count, [=](curandState* state) { return curand_poisson(state, mean); });
}

#endif
