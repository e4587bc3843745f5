// Code that asks on which side it is: __CUDA_ARCH__ in functions of both sides, in kernels, in lambdas and around
// functions.
#include <cstdio>
#include <cstring>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double* address, double val) {
  unsigned long long int* address_as_ull = (unsigned long long int*)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif

#if __CUDA_ARCH__ < 600
#define OLD_DEVICE 1
#else
#define OLD_DEVICE 0
#endif

__host__ __device__ const char* side() {
#ifdef __CUDA_ARCH__
  return "device";
#else
  return "host";
#endif
}

struct Counter {
  int kernels = 0, calls = 0;
  __host__ __device__ void count(double* total) {
#ifdef __CUDA_ARCH__
    atomicAdd(total, 1.0 + threadIdx.x * 0);
#else
    *total += 100;
    calls++;
#endif
  }
};

constexpr __host__ __device__ int number() {
#ifdef __CUDA_ARCH__
  return 2;
#else
  return 1;
#endif
}

template <class Function>
__global__ void apply(Function function, int* result) {
  *result = function(number());
}

__global__ void kernel(double* total, int* flags) {
  Counter counter;
  counter.count(total);
  if (threadIdx.x == 0) {
    flags[0] = side()[0] == 'd';
#if __CUDA_ARCH__ >= 900
    flags[1] = 90;
#elif defined(__CUDA_ARCH__)
    flags[1] = 1;
#endif
    flags[2] = OLD_DEVICE;
  }
}

int main() {
#ifdef __CUDA_ARCH__
  std::puts("main is not for the device");
  return 1;
#endif
  double* total;
  int* flags;
  cudaMallocManaged(&total, sizeof(double));
  cudaMallocManaged(&flags, 4 * sizeof(int));
  *total = 0;
  kernel<<<2, 32>>>(total, flags);
  cudaDeviceSynchronize();
  Counter counter;
  counter.count(total);
  apply<<<1, 1>>>(
      [=] __device__(int x) {
#ifdef __CUDA_ARCH__
        return 10 * x;
#else
        return x;
#endif
      },
      flags + 3);
  cudaDeviceSynchronize();
  std::printf("%s: total %g, flags %d %d %d %d\n", side(), *total, flags[0], flags[1], flags[2], flags[3]);
  return *total == 164 && counter.calls == 1 && flags[0] == 1 && flags[1] == 90 && flags[2] == 0 &&
                 flags[3] == 20 && number() == 1 && std::strcmp(side(), "host") == 0
             ? 0
             : 1;
}
