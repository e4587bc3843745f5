// mutant: one warp for everything
// item: histogram_global reads every value once and coalesced
// diagnosis: one-block-counts
//
// The mistake: a single warp goes through all values, and nearly all multiprocessors have nothing to do.
// Read: the handout, "An atomic for every value".

#include <cuda_runtime.h>

namespace {

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
  histogram_global_kernel<<<1, 32>>>(in, n, bins, nbins);
}
