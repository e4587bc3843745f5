// mutant: cleared while others count
// item: histogram_global counts every value in its bin
// diagnosis: cleared-while-counting
// backends: sim
//
// The mistake: the kernel clears the bins itself, block by block. A block that is late clears what others
// have counted; __syncthreads() waits for its own block alone.
// Read: the handout, "An atomic for every value".

// TODO(1)
// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return min(static_cast<unsigned>(value), nbins - 1);
}

// Sets all bins to zero.
void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned)); }

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  if (blockIdx.x == 0) {
    for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) bins[b] = 0;
  }
  __syncthreads();
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)

// GIVEN(histogram_global)
void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const unsigned blocks = blocks_for(histogram_global_kernel, n, 0);
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}
// END GIVEN(histogram_global)
