// tries: has a thread of its own copy and compute
// hand-in: none
// must: computed-by-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include <thread>

template <typename T>
void add(T* a, std::size_t n) {
  std::thread([=] {
    std::vector<T> values(n);
    cudaMemcpy(values.data(), a, n * sizeof(T), cudaMemcpyDeviceToHost);
    for (T& value : values) value += 1;
    cudaMemcpy(a, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }).join();
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
