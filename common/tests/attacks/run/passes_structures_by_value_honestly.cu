// tries: passes and returns structures by value, as honest files may: that costs nothing
// hand-in: none
// must: 8 points
// way-function: a[i] = increased(*reinterpret_cast<Box<T>*>(a + i))
// way-lambda: const auto increase = [](Box<T> box) { return Box<T>{box.value + 1}; }; auto* box = reinterpret_cast<Box<T>*>(a + i); *box = increase(*box)
// way-swap: T one = 1; std::swap(one, a[i]); a[i] += one
#include <cuda_runtime.h>

#include <cstddef>
#include <utility>
template <typename T>
struct Box {
  T value;
};
template <typename T>
__device__ __noinline__ T increased(Box<T> box) {
  return box.value + 1;
}
template <typename T>
__global__ void add(T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i >= n) return;
  @WAY@;
}
void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  if (n != 0) add<<<(n + 255) / 256, 256>>>(a + offset, n);
}
void offset_add_f64(double* a, std::size_t n, std::size_t offset) {
  if (n != 0) add<<<(n + 255) / 256, 256>>>(a + offset, n);
}
