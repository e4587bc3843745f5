// mutant: read twice
// item: offset_add_f64 pays at most one more sector a request when misaligned
// diagnosis: read-more-than-once
//
// The mistake: the element is fetched from memory for the test and once more for the sum; volatile keeps the
//   compiler from mending it.
// Read: the handout, "What a warp asks for": a request is an instruction, and each one pays.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile T* element = a + offset + i;
  if (*element == *element) *element = *element + T{1};
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
