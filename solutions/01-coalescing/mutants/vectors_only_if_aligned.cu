// mutant: vectors only if aligned
// item: copy_vectorized peels head and tail and moves the rest 16 bytes a lane
// diagnosis: narrow-accesses
//
// The mistake: unless both arrays begin on a boundary, everything is copied float by float.
// Read: the handout, "Head, body and tail": a head of at most 3 elements makes the rest aligned.

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
  const bool aligned = past_boundary(in) == 0 && past_boundary(out) == 0;
  const std::size_t vectors = aligned ? n / 4 : 0, tail = 4 * vectors;
  copy<float4>(out, in, vectors);
  copy<float>(out + tail, in + tail, n - tail);
}
