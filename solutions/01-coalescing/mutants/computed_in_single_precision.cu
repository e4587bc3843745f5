// mutant: computed in single precision
// item: offset_add_f64 adds one to n elements from the offset on
// diagnosis: single-precision
//
// The mistake: a double goes through a float on its way: 1.0f + float(x) keeps 24 bits of 53.
// Read: the handout, "The tasks": f32 and f64 are two functions.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] = 1.0f + static_cast<float>(a[offset + i]);
}

template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }

void offset_add_f64(double* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }
