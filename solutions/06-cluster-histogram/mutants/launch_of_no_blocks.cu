// mutant: launch of no blocks
// item: histogram_global counts every value in its bin
// diagnosis[sim]: grid-of-no-blocks
// diagnosis[cuda]: cuda-error
//
// The mistake: with n = 0 the grid has no blocks, and such a launch is an error.
// Read: the handout, "An atomic for every value".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 1024;

// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return min(static_cast<unsigned>(value), nbins - 1);
}

// Sets all bins to zero.
void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned)); }

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}

} // namespace

void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  const auto blocks = static_cast<unsigned>((n + threads_per_block - 1) / threads_per_block);
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}
