// tries: reads and writes by a function of the C library that the simulator does not know
// hand-in: decoy
// must: 4 points
#include <cuda_runtime.h>
#define PEEK
template <typename T>
__device__ T peek(const T* p) {
  T value;
  volatile std::size_t one = 1;
  for (unsigned k = 0; k < sizeof(T); ++k) __builtin_strncpy((char*)&value + k, (const char*)p + k, one);
  return value;
}
template <typename T>
__device__ void poke(T* p, T value) {
  volatile std::size_t one = 1;
  for (unsigned k = 0; k < sizeof(T); ++k) __builtin_strncpy((char*)p + k, (const char*)&value + k, one);
}
