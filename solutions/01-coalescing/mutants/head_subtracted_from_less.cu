// mutant: head subtracted from less
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: head-longer-than-array
// backends: sim
//
// The mistake: the head is limited where it is copied, but not where it is taken from n: n - head wraps around.
// Read: the handout, "Head, body and tail": never longer than n.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr unsigned threads_per_block = 256;

std::size_t blocks_for(std::size_t threads) { return (threads + threads_per_block - 1) / threads_per_block; }

std::size_t past_boundary(const float* address) { return reinterpret_cast<std::uintptr_t>(address) % 16; }

template <typename T>
__global__ void copy_kernel(T* out, const T* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <typename T>
void copy(float* out, const float* in, std::size_t n) {
  if (n == 0) return;
  copy_kernel<<<blocks_for(n), threads_per_block>>>(reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in),
                                                    n);
}

} // namespace

void copy_vectorized(float* out, const float* in, std::size_t n) {
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out)) head = (16 - past_boundary(in)) % 16 / sizeof(float);
  const std::size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
  copy<float>(out, in, std::min(head, n));
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
}
