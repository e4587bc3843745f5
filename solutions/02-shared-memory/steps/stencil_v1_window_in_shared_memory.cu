// Step 1 of stencil: tile and halo in shared memory.
//
// Idea        a block brings its own elements and `radius` more on each side once, and sums out of shared memory. The
//             buffer's size is known at the launch, and may be up to 227 KiB if the kernel is allowed that.
// Bottleneck  shared memory: 2 * radius + 1 words for every sum. With large radii also few blocks per multiprocessor.
// Counters    1 + 2 * radius / 256 reads of every element; shared memory 1 wavefront per request.
// Measured    H200, 2^24 floats, radius 1, 64 and 1024: 1,688, 470 and 32 GB/s.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  extern __shared__ float window[]; // blockDim.x + 2 * radius elements
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  for (unsigned k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
    const std::size_t after = first + k; // radius elements after the one that belongs here
    window[k] = after >= radius && after - radius < n ? in[after - radius] : 0.0f;
  }
  __syncthreads();
  if (first + threadIdx.x >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += window[threadIdx.x + k];
  out[first + threadIdx.x] = sum;
}

} // namespace

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  const std::size_t bytes = (threads_per_block + 2 * radius) * sizeof(float);
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  stencil_kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block, bytes>>>(out, in, n,
                                                                                                radius);
}
