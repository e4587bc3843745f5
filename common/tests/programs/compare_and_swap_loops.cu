// Atomics that are made of a compare-and-swap, as in the programming guide: a sum of doubles, a product, a saturating
// counter and a minimum with its place. Each begins with a plain read, which the exchange checks.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>

__device__ double add(double* address, double val) {
  unsigned long long int* address_as_ull = (unsigned long long int*)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    // Integers are compared, so that NaN ends the loop.
  } while (assumed != old);
  return __longlong_as_double(old);
}

__device__ float multiply(float* address, float val) {
  float old = *address, assumed;
  do {
    assumed = old;
    old = __int_as_float(atomicCAS((int*)address, __float_as_int(assumed), __float_as_int(val * assumed)));
  } while (assumed != old);
  return old;
}

template <class T>
__device__ void count_up_to(T* counter, T limit) {
  T old, next;
  do {
    old = *counter;
    next = old < limit ? old + 1 : limit;
  } while (atomicCAS(counter, old, next) != old);
}

struct Smallest {
  float value;
  int place;
};
union Bits {
  Smallest smallest;
  unsigned long long whole;
};

// A value and its place in one word of 64 bits.
__device__ void take_smaller(unsigned long long* best, float value, int place) {
  unsigned long long old = best[0];
  while (true) {
    Bits mine;
    mine.smallest = {value, place};
    const unsigned long long theirs = __float_as_uint(value) < (unsigned)old ? mine.whole : old;
    const unsigned long long found = atomicCAS(&best[0], old, theirs);
    if (found == old) break;
    old = found;
  }
}

__global__ void fold(const float* in, int n, double* sum, float* product, unsigned* counter,
                     unsigned long long* best) {
  __shared__ double of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    add(&of_block, in[i]);
    multiply(product, i % 2 == 0 ? 2.0f : 0.5f);
    count_up_to(counter, 100u);
    take_smaller(best, in[i], i);
  }
  __syncthreads();
  if (threadIdx.x == 0) add(sum, of_block);
}

int main() {
  const int n = 500;
  float* in;
  double* sum;
  float* product;
  unsigned* counter;
  unsigned long long* best;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&sum, sizeof(double));
  cudaMallocManaged(&product, sizeof(float));
  cudaMallocManaged(&counter, sizeof(unsigned));
  cudaMallocManaged(&best, sizeof(unsigned long long));
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = 1 + (i * 37 % n) / 8.0f;
    expected += in[i];
  }
  Bits none;
  none.smallest = {FLT_MAX, -1};
  *sum = 0, *product = 1, *counter = 0, *best = none.whole;
  fold<<<4, 128>>>(in, n, sum, product, counter, best);
  if (cudaDeviceSynchronize() != cudaSuccess) return EXIT_FAILURE;
  Bits found;
  found.whole = *best;
  const bool ok = *sum == expected && *product == 1 && *counter == 100 && found.smallest.value == 1 &&
                  found.smallest.place == 0;
  std::printf("sum %g, product %g, counter %u, smallest %g at %d: %s\n", *sum, *product, *counter,
              found.smallest.value, found.smallest.place, ok ? "ok" : "WRONG");
  cudaFree(in);
  cudaFree(sum);
  cudaFree(product);
  cudaFree(counter);
  cudaFree(best);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
