// mutant: two neighbours per thread
// item: offset_add_f64 touches no sector twice when aligned
// diagnosis: uncoalesced
//
// The mistake: thread i takes elements 2i and 2i + 1, one after the other. Each of the two requests touches
// every
//   sector of the warp's range, so that every sector is moved twice.
// Read: the handout, "What a warp asks for".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (2 * i < n) a[offset + 2 * i] += T{1};
  if (2 * i + 1 < n) a[offset + 2 * i + 1] += T{1};
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
