// tries: reads and writes by functions of the host, with its assembly, that the kernel calls through pointers
// hand-in: decoy
// must: 4 points
#include <cuda_runtime.h>
#define PEEK
template <typename T>
struct Bits {
  using type = unsigned;
};
template <>
struct Bits<double> {
  using type = unsigned long long;
};
template <typename T>
T read(const T* p) {
  typename Bits<T>::type bits;
  asm volatile("mov (%1), %0" : "=r"(bits) : "r"(p) : "memory");
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T>
void write(T* p, T value) {
  typename Bits<T>::type bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  asm volatile("mov %1, (%0)" ::"r"(p), "r"(bits) : "memory");
}
template <typename T>
struct Functions {
  T (*read)(const T*);
  void (*write)(T*, T);
};
__device__ Functions<float> floats{&read<float>, &write<float>};
__device__ Functions<double> doubles{&read<double>, &write<double>};
__device__ float peek(const float* p) { return floats.read(p); }
__device__ double peek(const double* p) { return doubles.read(p); }
__device__ void poke(float* p, float value) { floats.write(p, value); }
__device__ void poke(double* p, double value) { doubles.write(p, value); }
