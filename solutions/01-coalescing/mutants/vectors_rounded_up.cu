// mutant: vectors rounded up
// item: copy_vectorized copies n floats from any address to any address
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: the number of vectors is rounded up like the number of blocks; the last vector reaches past the end.
// Read: the handout, "Head, body and tail".

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
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, (n - head + 3) / 4);
}
