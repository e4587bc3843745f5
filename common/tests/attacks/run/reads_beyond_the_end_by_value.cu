// tries: reads beyond an array by a structure that is passed by value, and makes no use of what it reads
// hand-in: none
// must: 4 points
// told: out-of-bounds
// way-in_the_kernel_that_works: add<<<(n + 255) / 256, 256>>>(a, n)
// way-in_a_large_grid: add<<<(n + 255) / 256 + 1000, 256>>>(a, n)
// way-in_a_child: launch<<<1, 1>>>(a, n)
// way-beside_a_thread: static std::thread waits([] { for (;;) ::pause(); }); add<<<(n + 255) / 256, 256>>>(a, n)
#include <cuda_runtime.h>

#include <cstddef>
#include <thread>
template <typename T>
struct Box {
  T values[4];
};
template <typename T>
[[gnu::noipa]] __device__ bool is_even(Box<T>, std::size_t i) {
  return i % 2 == 0;
}
template <typename T>
__global__ void add(T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i >= n) return;
  a[i] += is_even(*reinterpret_cast<Box<T>*>(a + i + 1024), i) ? 1 : 1;
}
template <typename T>
__global__ void launch(T* a, std::size_t n) {
  add<<<(n + 255) / 256, 256>>>(a, n);
}
template <typename T>
static void offset_add(T* a, std::size_t n) {
  if (n == 0) return;
  @WAY@;
}
void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { offset_add(a + offset, n); }
