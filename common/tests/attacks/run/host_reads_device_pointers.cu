// tries: uses the pointers that it is given as if they were the host's
// hand-in: none
// must: device-pointer-on-host
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

template <typename T>
void add(T* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] += 1;
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
