// Overloads that one macro makes, on one line, with bodies that differ between host and device.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define SIDE 1
#else
#define SIDE 2
#endif

#define BOTH(T)                                                                                              \
  __host__ __device__ inline int side(T) { return SIDE + 10 * static_cast<int>(sizeof(T)); }                 \
  struct of_##T {                                                                                            \
    T value;                                                                                                 \
    __host__ __device__ int side() const { return SIDE + 100 * static_cast<int>(sizeof(T)); }                \
  };
#define ALL BOTH(char) BOTH(int) BOTH(double)
ALL

    __host__ __device__ int
    sum() {
  return side('a') + side(1) + side(1.0) + of_char{}.side() + of_int{}.side() + of_double{}.side();
}

__global__ void kernel(int* out) { *out = sum(); }

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  kernel<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  const int sizes = (10 + 100) * (1 + 4 + 8), device = *out, host = sum();
  std::printf("device %d, host %d\n", device - sizes, host - sizes);
  cudaFree(out);
  return device == sizes + 6 && host == sizes + 12 ? 0 : 1;
}
