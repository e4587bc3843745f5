// mutant: one block of the grid
// item: histogram_global reads every value once and coalesced
// diagnosis: one-block-counts
//
// The mistake: the grid has blocks for all multiprocessors, and all but the first return at once.
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
  if (blockIdx.x != 0) return;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)
