// tries: uses these pointers in code that the compiler tells nothing about
// hand-in: none
// must: crash
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

template <typename T>
__attribute__((no_sanitize("thread"), noinline)) void add(volatile T* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = a[i] + 1;
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
