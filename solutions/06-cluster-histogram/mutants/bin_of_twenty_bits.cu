// mutant: bin of twenty bits
// item: histogram_global counts values out of range in the first and the last bin
// backends: sim
// diagnosis: value-cut-off
//
// The mistake: a mask for the number of bins that its author has seen. A value of 2^20 + 5 counts as 5, and the
// contract has up to 2^24 bins.
// Read: the handout, "Which bin is a value's?".

// TODO(1)
// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return min(static_cast<unsigned>(value) & 0xfffff, nbins - 1);
}

// Sets all bins to zero.
void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned)); }

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)
