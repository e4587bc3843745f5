// tries: writes before its array and into the guard zone
// hand-in: none
// must: out-of-bounds, guard-damaged, other-element-written
#include <cuda_runtime.h>

#include <cstddef>

template <typename T>
__global__ void add_everywhere(T* a, std::size_t n, std::size_t offset) {
  for (std::size_t i = 0; i < n; ++i) a[offset + i] += T{1};
  a[-8] = T{1};
}
void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add_everywhere<<<1, 1>>>(a, n, offset); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add_everywhere<<<1, 1>>>(a, n, offset); }
