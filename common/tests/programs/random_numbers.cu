// cuRAND in kernels and from the host: pi by points in a square, the moments of a normal distribution, an option's
// price, and sequences that are known from cuRAND's documentation and from Philox's authors.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <curand.h>
#include <curand_kernel.h>

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    if ((call) != 0) {                                                                                       \
      std::printf("%s failed\n", #call);                                                                     \
      std::exit(1);                                                                                          \
    }                                                                                                        \
  } while (0)

void expect(bool right, const char* what) {
  std::printf("%s: %s\n", what, right ? "right" : "WRONG");
  if (!right) std::exit(1);
}

__global__ void set_up(curandState* states, unsigned long long seed) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, id, 0, &states[id]);
}

__global__ void hits(curandState* states, unsigned int* count, int tries) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[id];
  unsigned int inside = 0;
  for (int i = 0; i < tries; ++i) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    inside += x * x + y * y <= 1.0f;
  }
  states[id] = state;
  atomicAdd(count, inside);
}

__global__ void moments(curandState* states, double* sums, int tries) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  double one = 0, two = 0, events = 0;
  for (int i = 0; i < tries; ++i) {
    const float x = curand_normal(&states[id]);
    const double y = curand_normal_double(&states[id]);
    one += x + y;
    two += x * x + y * y;
    events += curand_poisson(&states[id], 3.0);
  }
  atomicAdd(&sums[0], one);
  atomicAdd(&sums[1], two);
  atomicAdd(&sums[2], events);
}

/// A call at the strike, volatility 0.2, rate 0.05, one year: 10.45.
__global__ void option(float* payoff, unsigned long long seed) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, id, 0, &state);
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    const float4 z = curand_normal4(&state);
    for (const float w : {z.x, z.y, z.z, z.w}) sum += fmaxf(100.0f * expf(0.03f + 0.2f * w) - 100.0f, 0.0f);
  }
  atomicAdd(payoff, sum / 32 * expf(-0.05f));
}

__global__ void known(unsigned int* out) {
  curandStatePhilox4_32_10_t philox;
  curand_init(0, 0, 0, &philox);
  const uint4 four = curand4(&philox);
  out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
  // A jump is as many steps.
  curandState walks, jumps;
  curand_init(42, 3, 0, &walks);
  curand_init(42, 3, 1000, &jumps);
  for (int i = 0; i < 1000; ++i) curand(&walks);
  out[4] = curand(&walks), out[5] = curand(&jumps);
  curandStatePhilox4_32_10_t behind;
  curand_init(7, 1, 0, &philox);
  curand_init(7, 1, 13, &behind);
  for (int i = 0; i < 13; ++i) curand(&philox);
  out[6] = curand(&philox), out[7] = curand(&behind);
}

int main() {
  const int threads = 128, blocks = 4, all = threads * blocks;
  curandState* states;
  CHECK(cudaMalloc(&states, all * sizeof(curandState)));
  set_up<<<blocks, threads>>>(states, 2024);

  unsigned int* count;
  CHECK(cudaMallocManaged(&count, sizeof *count));
  *count = 0;
  hits<<<blocks, threads>>>(states, count, 200);
  CHECK(cudaDeviceSynchronize());
  expect(std::fabs(4.0 * *count / (all * 200) - 3.14159265) < 0.02, "pi");

  double* sums;
  CHECK(cudaMallocManaged(&sums, 3 * sizeof *sums));
  sums[0] = sums[1] = sums[2] = 0;
  moments<<<blocks, threads>>>(states, sums, 40);
  CHECK(cudaDeviceSynchronize());
  const double n = 2.0 * all * 40;
  expect(std::fabs(sums[0] / n) < 0.02 && std::fabs(sums[1] / n - 1) < 0.03, "normal");
  expect(std::fabs(sums[2] / (all * 40) - 3) < 0.05, "poisson");

  float* payoff;
  CHECK(cudaMallocManaged(&payoff, sizeof *payoff));
  *payoff = 0;
  option<<<blocks, threads>>>(payoff, 99);
  CHECK(cudaDeviceSynchronize());
  expect(std::fabs(*payoff / all - 10.45f) < 0.5f, "option");

  unsigned int* words;
  CHECK(cudaMallocManaged(&words, 8 * sizeof *words));
  known<<<1, 1>>>(words);
  CHECK(cudaDeviceSynchronize());
  expect(words[0] == 0x6627e8d5 && words[1] == 0xe169c58d && words[2] == 0xbc57ac4c && words[3] == 0x9b00dbd8,
         "philox");
  expect(words[4] == words[5] && words[6] == words[7], "jumps");

  // The ten numbers that cuRAND's manual prints for this seed.
  const float printed[] = {0.1455f, 0.8202f, 0.5504f, 0.2948f, 0.9147f,
                           0.8690f, 0.3219f, 0.7829f, 0.0113f, 0.2855f};
  float *device, host[10];
  CHECK(cudaMalloc(&device, 10000 * sizeof(float)));
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234ull));
  CHECK(curandGenerateUniform(generator, device, 10000));
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  bool same = true;
  for (int i = 0; i < 10; ++i) same = same && std::fabs(host[i] - printed[i]) < 5.1e-5f;
  expect(same, "the manual's numbers");
  expect(curandGenerateNormal(generator, device, 9999, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE,
         "odd lengths");
  CHECK(curandDestroyGenerator(generator));

  double numbers[1000], mean = 0;
  CHECK(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW));
  CHECK(curandGenerateNormalDouble(generator, numbers, 1000, 5, 2));
  for (const double x : numbers) mean += x / 1000;
  expect(std::fabs(mean - 5) < 0.3, "on the host");
  CHECK(curandDestroyGenerator(generator));

  // A handle that never was a generator.
  expect(curandGenerateUniform(nullptr, device, 10000) == CURAND_STATUS_NOT_INITIALIZED &&
             curandDestroyGenerator(nullptr) == CURAND_STATUS_NOT_INITIALIZED,
         "no generator");
  cudaFree(device);
  cudaFree(states);
}
