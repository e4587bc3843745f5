// Ways to use memory that the simulator does not see: attacks include this file.
#include <cuda_runtime.h>

#include <cstddef>

namespace unseen {

typedef float v4sf __attribute__((vector_size(16)));
typedef float v2sf __attribute__((vector_size(8)));
typedef double v2df __attribute__((vector_size(16)));
__device__ float read(const float* p) {
  v4sf z = {0, 0, 0, 0};
  z = __builtin_ia32_loadlps(z, (const v2sf*)p);
  return z[0];
}
__device__ double read(const double* p) {
  v2df z = {0, 0};
  z = __builtin_ia32_loadlpd(z, p);
  return z[0];
}
__device__ int read(const int* p) { return __builtin_bit_cast(int, read((const float*)p)); }
__device__ void write(int* p, int value) { __builtin_ia32_movnti(p, value); }
__device__ void write(float* p, float value) { write((int*)p, __builtin_bit_cast(int, value)); }
__device__ void write(double* p, double value) { __builtin_ia32_movnti64((long long*)p, __builtin_bit_cast(long long, value)); }

} // namespace unseen
