// mutant: copied by few blocks
// item: copy_vectorized is as fast as a plain copy with 16 bytes a thread
// diagnosis: too-slow
// backends: cuda
//
// The mistake: 32 blocks that walk through the arrays, one for each lane of a warp, as it were. Every access has
//   16 bytes, but a GPU has many more multiprocessors than that, and each needs several blocks to wait for memory.
// Read: the handout, "Sixteen bytes an access".

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr unsigned blocks = 32;
constexpr unsigned threads_per_block = 256;

template <typename T>
__global__ void copy_kernel(T* out, const T* in, std::size_t n) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
    out[i] = in[i];
}

template <typename T>
void copy(float* out, const float* in, std::size_t n) {
  if (n == 0) return;
  copy_kernel<<<blocks, threads_per_block>>>(reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in), n);
}

std::size_t past_boundary(const float* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4);
}

} // namespace

void copy_vectorized(float* out, const float* in, std::size_t n) {
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (sizeof(float4) - past_boundary(in)) % sizeof(float4) / sizeof(float));
  const std::size_t vectors = (n - head) / 4;
  const std::size_t tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
}
