// tries: a thread that the call does not wait for launches a kernel when the call has been counted
// hand-in: none
// must: no points
#include <cuda_runtime.h>

#include <cstddef>
#include <thread>

template <typename T>
__global__ void one_thread_for_all(T* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] += T{1};
}

template <typename T>
void add(T* a, std::size_t n) {
  std::thread([=] {
    ::usleep(500);
    while (true) {
      one_thread_for_all<<<1, 1>>>(a, n);
      if (cudaDeviceSynchronize() == cudaSuccess) break;
    }
  }).detach();
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
