// mutant: tail of doubles by one thread
// item: offset_add_f64 pays at most one more sector per request when misaligned
// diagnosis: tail-one-by-one
// backends: sim
//
// The mistake: whole blocks are taken by neighbouring lanes, and the last n % 256 elements by one thread in a loop.
// Read: the handout, "More threads than elements": a comparison with n does it in the same kernel.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void whole_blocks_kernel(double* a) { a[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] += 1; }

__global__ void tail_kernel(double* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] += 1;
}

} // namespace

void offset_add_f64(double* a, std::size_t n, std::size_t offset) {
  const std::size_t blocks = n / threads_per_block, tail = n % threads_per_block;
  if (blocks != 0) whole_blocks_kernel<<<blocks, threads_per_block>>>(a + offset);
  if (tail != 0) tail_kernel<<<1, 1>>>(a + offset + blocks * threads_per_block, tail);
}
