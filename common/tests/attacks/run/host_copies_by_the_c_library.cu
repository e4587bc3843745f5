// tries: has the C library copy from and to the pointers that it is given, by functions that nothing stands in front of
// hand-in: none
// must: crash
#include <cuda_runtime.h>

#include <vector>

template <typename T>
void add(T* a, std::size_t n) {
  std::vector<T> values(n);
  ::mempcpy(values.data(), a, n * sizeof(T));
  for (T& value : values) value += 1;
  ::mempcpy(a, values.data(), n * sizeof(T));
}

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { add(a + offset, n); }
