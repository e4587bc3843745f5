// mutant: head moves one side only
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: shifted-copy
//
// The mistake: the body begins behind the head in `out`, but at the beginning of `in`.
// Read: the handout, "Head, body and tail".

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr unsigned threads_per_block = 256;

std::size_t blocks_for(std::size_t threads) { return (threads + threads_per_block - 1) / threads_per_block; }

std::size_t past_boundary(const float* address) { return reinterpret_cast<std::uintptr_t>(address) % 16; }

__global__ void copy_kernel(float* out, const float* in, std::size_t n, std::size_t head) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < head) out[i] = in[i];
  if (head + i < n) out[head + i] = in[i];
}

} // namespace

void copy_vectorized(float* out, const float* in, std::size_t n) {
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  if (n != 0) copy_kernel<<<blocks_for(n), threads_per_block>>>(out, in, n, head == n ? 0 : head);
}
