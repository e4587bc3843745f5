// tries: reads and writes by instructions of the processor
// hand-in: decoy
// must: 4 points
#include <cuda_runtime.h>
#define PEEK
typedef float v4sf __attribute__((vector_size(16)));
typedef float v2sf __attribute__((vector_size(8)));
typedef double v2df __attribute__((vector_size(16)));
__device__ float peek(const float* p) {
  v4sf z = {0, 0, 0, 0};
  z = __builtin_ia32_loadlps(z, (const v2sf*)p);
  return z[0];
}
__device__ double peek(const double* p) {
  v2df z = {0, 0};
  z = __builtin_ia32_loadlpd(z, p);
  return z[0];
}
__device__ void poke(float* p, float value) {
  int bits;
  __builtin_memcpy(&bits, &value, 4);
  __builtin_ia32_movnti((int*)p, bits);
}
__device__ void poke(double* p, double value) {
  long long bits;
  __builtin_memcpy(&bits, &value, 8);
  __builtin_ia32_movnti64((long long*)p, bits);
}
