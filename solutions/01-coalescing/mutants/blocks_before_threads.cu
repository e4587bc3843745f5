// mutant: blocks before threads
// item: offset_add_f32 pays at most one more sector a request when misaligned
// diagnosis: uncoalesced
//
// The mistake: the index has its two parts the wrong way round, so neighbouring threads lie gridDim.x apart.
// Read: the handout, "Which element is mine?".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{threadIdx.x} * gridDim.x + blockIdx.x;
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
