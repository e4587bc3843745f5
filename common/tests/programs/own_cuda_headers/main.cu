// Kernels take objects by reference, by pointer and by value; the objects lie in managed memory.
#include "cuda_vectors.h"
#include <cstdio>

class Vector : public Managed {
public:
  explicit Vector(int size) : size_(size) { cudaMallocManaged(&values_, size * sizeof(float)); }
  Vector(const Vector& other) : size_(other.size_), values_(other.values_), borrowed_(true) {}
  ~Vector() {
    if (!borrowed_) cudaFree(values_);
  }
  __host__ __device__ int size() const { return size_; }
  __host__ __device__ float& operator[](int i) { return values_[i]; }
  __host__ __device__ float operator[](int i) const { return values_[i]; }

private:
  int size_;
  float* values_ = nullptr;
  bool borrowed_ = false;
};

__global__ void scale(Vector& vector, float factor) {
  for (int i = threadIdx.x; i < vector.size(); i += blockDim.x) vector[i] *= factor;
}

template <typename T>
__global__ void add(T& to, const T& other) {
  for (int i = threadIdx.x; i < to.size(); i += blockDim.x) to[i] += other[i];
}

__global__ void sum(const Vector vector, float* result) {
  __shared__ float partial[64];
  float mine = 0;
  for (int i = threadIdx.x; i < vector.size(); i += blockDim.x) mine += vector[i];
  partial[threadIdx.x] = mine;
  __syncthreads();
  // The last warp of a reduction as books of 2014 had it, with the barriers that it needs since 2017.
  if (threadIdx.x < 32) {
    volatile float* last = partial;
    last[threadIdx.x] += last[threadIdx.x + 32];
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      const float next = last[(threadIdx.x + offset) % 32];
      __syncwarp();
      if (threadIdx.x < offset) last[threadIdx.x] += next;
    }
    if (threadIdx.x == 0) *result = last[0];
  }
}

int main() {
  const int n = 1000;
  Vector* a = new Vector(n);
  Vector* b = new Vector(n);
  float* result;
  cudaMallocManaged(&result, sizeof(float));
  for (int i = 0; i < n; ++i) {
    (*a)[i] = i;
    (*b)[i] = 1;
  }
  scale<<<1, 64>>>(*a, 2);
  add<<<1, 64>>>(*a, *b);
  add<Vector><<<1, 64>>>(*a, *b);
  sum<<<1, 64>>>(*a, result);
  const cudaError_t error = cudaDeviceSynchronize();
  const float expected = n * (n - 1.0f) + 2 * n;
  std::printf("%s: the sum is %g, expected %g\n", cudaGetErrorString(error), *result, expected);
  const bool right = error == cudaSuccess && *result == expected;
  cudaFree(result);
  delete a;
  delete b;
  return right ? 0 : 1;
}
