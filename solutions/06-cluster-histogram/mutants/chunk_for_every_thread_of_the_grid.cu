// mutant: chunk for every thread of the grid
// item: histogram_global reads every value once and coalesced
// diagnosis: uncoalesced
//
// The mistake: neighbouring values for each thread, as on a CPU. It shows only where there are more values
// than threads.
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
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x, chunk = divide_up(n, all_threads);
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * chunk;
  for (std::size_t i = first; i < first + chunk && i < n; ++i) atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)
