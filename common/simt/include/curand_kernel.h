// Random numbers in kernels: the generators XORWOW (curandState), Philox 4x32-10 and Sobol of cuRAND's device API, with
// uniform, normal, log-normal and Poisson distributions. Sequences and subsequences are cuRAND's, but for Sobol's numbers,
// which depend on its direction vectors.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"

/// A sequence of 2^192 numbers; subsequences begin 2^67 numbers apart.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/// A counter that is enciphered; each value gives four numbers. Subsequences begin 2^66 numbers apart.
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE; ///< which of the four comes next
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/// A dimension of a Sobol sequence: number i is the sum without carry of the direction vectors that Gray's code of i
/// selects, and of `c` if the sequence is scrambled.
struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t;
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

namespace simt::random {

SIMT_INLINE uint4 philox_round(uint4 c, uint2 k) {
  const unsigned long long p = 0xD2511F53ull * c.x, q = 0xCD9E8D57ull * c.z;
  return make_uint4(static_cast<unsigned int>(q >> 32) ^ c.y ^ k.x, static_cast<unsigned int>(q),
                    static_cast<unsigned int>(p >> 32) ^ c.w ^ k.y, static_cast<unsigned int>(p));
}
inline uint4 philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    if (round > 0) k = make_uint2(k.x + 0x9E3779B9u, k.y + 0xBB67AE85u);
    c = philox_round(c, k);
  }
  return c;
}
/// Adds `count` to the counter's four words from the one of number `from` on.
inline void philox_advance(uint4& c, unsigned long long count, int from) {
  unsigned int words[4] = {c.x, c.y, c.z, c.w};
  unsigned long long carry = count;
  for (int i = from; i < 4 && carry != 0; ++i) {
    const unsigned long long sum = words[i] + (carry & 0xffffffffu);
    words[i] = static_cast<unsigned int>(sum);
    carry = (carry >> 32) + (sum >> 32);
  }
  c = make_uint4(words[0], words[1], words[2], words[3]);
}

/// In (0, 1]: 0 never comes, 1 does.
SIMT_INLINE float uniform(unsigned int x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
SIMT_INLINE double uniform(unsigned int x, unsigned int y) {
  const unsigned long long z = x ^ static_cast<unsigned long long>(y) << 21;
  return z * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
SIMT_INLINE float2 normal_pair(unsigned int x, unsigned int y) {
  const float angle = y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2.0f;
  const float radius = sqrtf(-2.0f * logf(uniform(x)));
  return make_float2(sinf(angle) * radius, cosf(angle) * radius);
}
SIMT_INLINE double2 normal_pair(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
  const double angle = uniform(y0, y1) * 2.0 * 3.14159265358979323846;
  const double radius = sqrt(-2.0 * log(uniform(x0, x1)));
  return make_double2(sin(angle) * radius, cos(angle) * radius);
}

} // namespace simt::random

inline void skipahead(unsigned long long count, curandStateXORWOW* state) {
  unsigned int v[5] = {state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]};
  __simt_random_skip(v, count, 0);
  for (int i = 0; i < 5; ++i) state->v[i] = v[i];
  state->d += 362437u * static_cast<unsigned int>(count);
}
inline void skipahead_sequence(unsigned long long count, curandStateXORWOW* state) {
  unsigned int v[5] = {state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]};
  __simt_random_skip(v, count, 67);
  for (int i = 0; i < 5; ++i) state->v[i] = v[i];
}
inline void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
  state->STATE += static_cast<unsigned int>(count & 3);
  unsigned long long blocks = count / 4;
  if (state->STATE > 3) {
    ++blocks;
    state->STATE -= 4;
  }
  uint4 counter = state->ctr;
  simt::random::philox_advance(counter, blocks, 0);
  state->ctr = counter;
  state->output = simt::random::philox(counter, state->key);
}
inline void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* state) {
  uint4 counter = state->ctr;
  simt::random::philox_advance(counter, count, 2);
  state->ctr = counter;
  state->output = simt::random::philox(counter, state->key);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW* state) {
  const unsigned int s0 = static_cast<unsigned int>(seed) ^ 0xaad26b49u;
  const unsigned int s1 = static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu;
  const unsigned int t0 = 1099087573u * s0, t1 = 2591861531u * s1;
  curandStateXORWOW fresh{};
  fresh.d = 6615241u + t1 + t0;
  fresh.v[0] = 123456789u + t0;
  fresh.v[1] = 362436069u ^ t0;
  fresh.v[2] = 521288629u + t1;
  fresh.v[3] = 88675123u ^ t1;
  fresh.v[4] = 5783321u + t0;
  if (subsequence != 0) skipahead_sequence(subsequence, &fresh);
  if (offset != 0) skipahead(offset, &fresh);
  *state = fresh;
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
  curandStatePhilox4_32_10 fresh{};
  fresh.key = make_uint2(static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32));
  skipahead_sequence(subsequence, &fresh);
  skipahead(offset, &fresh);
  *state = fresh;
}

/// 32 random bits.
inline unsigned int curand(curandStateXORWOW* state) {
  const unsigned int t = state->v[0] ^ (state->v[0] >> 2), last = state->v[4];
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = last;
  const unsigned int next = (last ^ (last << 4)) ^ (t ^ (t << 1));
  state->v[4] = next;
  return next + (state->d += 362437u);
}
inline unsigned int curand(curandStatePhilox4_32_10* state) {
  const unsigned int which = state->STATE;
  const uint4 four = state->output;
  const unsigned int result = which == 0 ? four.x : which == 1 ? four.y : which == 2 ? four.z : four.w;
  state->STATE = (which + 1) & 3;
  if (which == 3) {
    uint4 counter = state->ctr;
    simt::random::philox_advance(counter, 1, 0);
    state->ctr = counter;
    state->output = simt::random::philox(counter, state->key);
  }
  return result;
}
inline uint4 curand4(curandStatePhilox4_32_10* state) {
  const unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return make_uint4(x, y, z, w);
}

// Evaluation order matters: each number is drawn before the next.
#define SIMT_DISTRIBUTIONS(State)                                                                            \
  inline float curand_uniform(State* state) { return simt::random::uniform(curand(state)); }                 \
  inline double curand_uniform_double(State* state) {                                                        \
    const unsigned int x = curand(state), y = curand(state);                                                 \
    return simt::random::uniform(x, y);                                                                      \
  }                                                                                                          \
  inline float2 curand_normal2(State* state) {                                                               \
    const unsigned int x = curand(state), y = curand(state);                                                 \
    return simt::random::normal_pair(x, y);                                                                  \
  }                                                                                                          \
  inline double2 curand_normal2_double(State* state) {                                                       \
    const unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);       \
    return simt::random::normal_pair(x0, x1, y0, y1);                                                        \
  }                                                                                                          \
  inline float curand_normal(State* state) {                                                                 \
    if (state->boxmuller_flag != 0) {                                                                        \
      state->boxmuller_flag = 0;                                                                             \
      return state->boxmuller_extra;                                                                         \
    }                                                                                                        \
    const float2 pair = curand_normal2(state);                                                               \
    state->boxmuller_extra = pair.y;                                                                         \
    state->boxmuller_flag = 1;                                                                               \
    return pair.x;                                                                                           \
  }                                                                                                          \
  inline double curand_normal_double(State* state) {                                                         \
    if (state->boxmuller_flag_double != 0) {                                                                 \
      state->boxmuller_flag_double = 0;                                                                      \
      return state->boxmuller_extra_double;                                                                  \
    }                                                                                                        \
    const double2 pair = curand_normal2_double(state);                                                       \
    state->boxmuller_extra_double = pair.y;                                                                  \
    state->boxmuller_flag_double = 1;                                                                        \
    return pair.x;                                                                                           \
  }                                                                                                          \
  inline float curand_log_normal(State* state, float mean, float deviation) {                                \
    return expf(mean + deviation * curand_normal(state));                                                    \
  }                                                                                                          \
  inline double curand_log_normal_double(State* state, double mean, double deviation) {                      \
    return exp(mean + deviation * curand_normal_double(state));                                              \
  }                                                                                                          \
  /* Small means by counting, as Knuth; large ones as a rounded normal number. */                            \
  inline unsigned int curand_poisson(State* state, double mean) {                                            \
    if (mean > 64) {                                                                                         \
      const double value = mean + sqrt(mean) * curand_normal_double(state) + 0.5;                            \
      return value > 0 ? static_cast<unsigned int>(value) : 0;                                               \
    }                                                                                                        \
    unsigned int events = 0;                                                                                 \
    for (double product = curand_uniform_double(state), least = exp(-mean); product > least; ++events)       \
      product *= curand_uniform_double(state);                                                               \
    return events;                                                                                           \
  }
SIMT_DISTRIBUTIONS(curandStateXORWOW)
SIMT_DISTRIBUTIONS(curandStatePhilox4_32_10)
#undef SIMT_DISTRIBUTIONS

inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return make_float4(simt::random::uniform(x.x), simt::random::uniform(x.y), simt::random::uniform(x.z),
                     simt::random::uniform(x.w));
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const float2 a = simt::random::normal_pair(x.x, x.y), b = simt::random::normal_pair(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return make_double2(simt::random::uniform(x.x, x.y), simt::random::uniform(x.z, x.w));
}

// Quasirandom numbers: one of the sequence makes one of any distribution, by the inverse of its distribution function.
namespace simt::random {

SIMT_INLINE double uniform_double(unsigned int x) {
  return x * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2.0;
}
SIMT_INLINE double uniform_double(unsigned long long x) {
  return (x >> 11) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
SIMT_INLINE float uniform_float(unsigned int x) { return uniform(x); }
SIMT_INLINE float uniform_float(unsigned long long x) { return uniform(static_cast<unsigned int>(x >> 32)); }
SIMT_INLINE unsigned lowest_zero(unsigned int x) { return x == 0xffffffffu ? 31 : __builtin_ctz(~x); }
SIMT_INLINE unsigned lowest_zero(unsigned long long x) { return ~x == 0 ? 63 : __builtin_ctzll(~x); }

template <class State, class Word>
inline void sobol_skip(State* state, Word count) {
  const Word before = state->i ^ state->i >> 1;
  state->i += count;
  Word change = before ^ state->i ^ state->i >> 1, x = state->x;
  for (unsigned bit = 0; change != 0; ++bit, change >>= 1)
    if (change & 1) x ^= state->direction_vectors[bit];
  state->x = x;
}
template <class State, class Word>
inline void sobol_init(const Word* vectors, Word constant, Word offset, State* state) {
  for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit) state->direction_vectors[bit] = vectors[bit];
  state->i = 0;
  state->x = state->c = constant;
  sobol_skip(state, offset);
}
inline unsigned int poisson_below(double share, double mean) {
  if (mean > 500) {
    const double value = mean + sqrt(mean) * normcdfinv(share) + 0.5;
    return value > 0 ? static_cast<unsigned int>(value) : 0;
  }
  unsigned int events = 0;
  double probability = exp(-mean);
  for (double below = probability; below < share && probability > 0; below += probability)
    probability *= mean / ++events;
  return events;
}

} // namespace simt::random

#define SIMT_SOBOL(State, Word)                                                                              \
  inline void skipahead(Word count, State* state) { simt::random::sobol_skip(state, count); }                \
  inline Word curand(State* state) {                                                                         \
    const Word x = state->x;                                                                                 \
    state->x = x ^ state->direction_vectors[simt::random::lowest_zero(state->i)];                            \
    ++state->i;                                                                                              \
    return x;                                                                                                \
  }                                                                                                          \
  inline float curand_uniform(State* state) { return simt::random::uniform_float(curand(state)); }           \
  inline double curand_uniform_double(State* state) { return simt::random::uniform_double(curand(state)); }  \
  inline double curand_normal_double(State* state) { return normcdfinv(curand_uniform_double(state)); }      \
  inline float curand_normal(State* state) { return static_cast<float>(curand_normal_double(state)); }       \
  inline float curand_log_normal(State* state, float mean, float deviation) {                                \
    return expf(mean + deviation * curand_normal(state));                                                    \
  }                                                                                                          \
  inline double curand_log_normal_double(State* state, double mean, double deviation) {                      \
    return exp(mean + deviation * curand_normal_double(state));                                              \
  }                                                                                                          \
  inline unsigned int curand_poisson(State* state, double mean) {                                            \
    return simt::random::poisson_below(curand_uniform_double(state), mean);                                  \
  }
SIMT_SOBOL(curandStateSobol32, unsigned int)
SIMT_SOBOL(curandStateScrambledSobol32, unsigned int)
SIMT_SOBOL(curandStateSobol64, unsigned long long)
SIMT_SOBOL(curandStateScrambledSobol64, unsigned long long)
#undef SIMT_SOBOL

inline void curand_init(unsigned int* direction_vectors, unsigned int offset, curandStateSobol32* state) {
  simt::random::sobol_init(direction_vectors, 0u, offset, state);
}
inline void curand_init(unsigned int* direction_vectors, unsigned int scramble_c, unsigned int offset,
                        curandStateScrambledSobol32* state) {
  simt::random::sobol_init(direction_vectors, scramble_c, offset, state);
}
inline void curand_init(unsigned long long* direction_vectors, unsigned long long offset,
                        curandStateSobol64* state) {
  simt::random::sobol_init(direction_vectors, 0ull, offset, state);
}
inline void curand_init(unsigned long long* direction_vectors, unsigned long long scramble_c,
                        unsigned long long offset, curandStateScrambledSobol64* state) {
  simt::random::sobol_init(direction_vectors, scramble_c, offset, state);
}

#include "curand.h"

#endif
