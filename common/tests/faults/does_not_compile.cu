// fault: does not compile
// expect: compile-error
// words: does not compile
// backends: sim

#include <cuda_runtime.h>

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { undeclared_kernel(a, n, offset); }
