// Peer: CUB, DeviceReduce::Sum over an iterator that multiplies as it reads.
//
// The temporary storage is allocated in the first call, and again where more is needed.

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace {

template <typename T>
struct Product {
  const T* a;
  const T* b;
  __host__ __device__ T operator()(std::int64_t i) const { return a[i] * b[i]; }
};

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  static void* storage = nullptr;
  static std::size_t capacity = 0;
  const auto products =
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), Product<T>{a, b});
  std::size_t needed = 0;
  cub::DeviceReduce::Sum(nullptr, needed, products, result, static_cast<std::int64_t>(n));
  if (needed > capacity) {
    cudaFree(storage);
    cudaMalloc(&storage, needed);
    capacity = needed;
  }
  cub::DeviceReduce::Sum(storage, needed, products, result, static_cast<std::int64_t>(n));
}

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) { dot(result, a, b, n); }

void dot_f64(double* result, const double* a, const double* b, std::size_t n) { dot(result, a, b, n); }
