// tries: copies in rows of few bytes, by functions whose direction is left to CUDA
// hand-in: none
// must: computed-by-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

template <typename T>
void add(T* a, std::size_t n) {
  constexpr std::size_t most = 32;
  for (std::size_t first = 0; first < n; first += most) {
    T values[most] = {};
    const std::size_t bytes = std::min(most, n - first) * sizeof(T);
    cudaMemcpy2DAsync(values, bytes, a + first, bytes, bytes, 1, cudaMemcpyDefault, nullptr);
    for (T& value : values) value += 1;
    cudaMemcpyAsync(a + first, values, bytes, cudaMemcpyDefault);
  }
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
