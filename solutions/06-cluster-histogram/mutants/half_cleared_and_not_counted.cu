// mutant: half cleared and not counted
// item: histogram_shared counts every value in its bin
// diagnosis: bins-not-zeroed
//
// The mistake: TODO(2) is still open, and clear(), of TODO(1), sets a quarter of the bins to zero: cudaMemset
// counts bytes. What is to be corrected first is clear().
// Read: the handout, "An atomic for every value".

// TODO(1)
// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return min(static_cast<unsigned>(value), nbins - 1);
}

void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins); }

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)

  // TODO(2)
  // END TODO(2)
