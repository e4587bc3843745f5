// mutant: block index missing
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: block-index-missing
// diagnosis[sim]: same-element
//
// The mistake: threadIdx.x counts inside one block only, so every block works on the first 256 elements.
// Read: the handout, "Which element is mine?".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = threadIdx.x;
  if (i < n) a[offset + i] += T{1};
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
