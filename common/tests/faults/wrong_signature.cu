// fault: wrong signature
// expect: compile-error
// words: offset_add_f32
// backends: sim

#include <cuda_runtime.h>

void offset_add_f32(double* a, std::size_t n, std::size_t offset);

extern "C" int offset_add_f32(float* a, std::size_t n, std::size_t offset) { return 0; }
