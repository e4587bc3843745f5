// mutant: copied float by float
// item: copy_vectorized moves 16 bytes a lane where both arrays are aligned
// diagnosis: narrow-accesses
//
// The mistake: every thread copies one float: coalesced, but four times as many requests as needed.
// Read: the handout, "Sixteen bytes an access".

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr unsigned threads_per_block = 256;

std::size_t blocks_for(std::size_t threads) { return (threads + threads_per_block - 1) / threads_per_block; }

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

void copy_vectorized(float* out, const float* in, std::size_t n) { copy<float>(out, in, n); }
