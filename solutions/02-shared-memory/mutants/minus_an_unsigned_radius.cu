// mutant: minus an unsigned radius
// item: stencil sums all elements within a radius
// diagnosis: nothing-summed
// backends: sim
//
// The mistake: the loop counts from -radius to radius. `radius` is unsigned, and k is compared as unsigned:
//   -3 is more than 4 billion, and the loop is never entered.
// Read: the handout, "Tile and halo".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

std::size_t pieces(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

} // namespace

namespace {

// One thread for one element of `out`. The window is what a block's threads need of `in`, radius elements
// further to both sides.
__global__ void stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  extern __shared__ float window[];
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x; // in[first - radius] comes first
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads(); // in reach of all threads: nobody has returned before
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (int k = -radius; k <= radius; ++k) sum += window[threadIdx.x + radius + k];
  out[first + threadIdx.x] = sum;
}

} // namespace

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  std::size_t bytes = 0; // of dynamic shared memory, for every block
  bytes = (threads_per_block + 2 * radius) * sizeof(float);
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  stencil_kernel<<<pieces(n, threads_per_block), threads_per_block, bytes>>>(out, in, n, radius);
}
