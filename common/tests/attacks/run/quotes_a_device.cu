// tries: says that its lines come from a file that never ends, so that the report of a kernel's fault reads that
// hand-in: none
// must: out-of-bounds, output-unwritten, crash
#include <cuda_runtime.h>

#include <cstddef>
#line 1 "/dev/zero"
template <typename T> __global__ void fault(T* a) { a[-1000000] = T{1}; }
#line 11 "quotes_a_device.cu"
void offset_add_f32(float* a, std::size_t, std::size_t) { fault<<<1, 1>>>(a); }
void offset_add_f64(double* a, std::size_t, std::size_t) { fault<<<1, 1>>>(a); }
