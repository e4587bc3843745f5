// mutant: the last bin missed, seen in shared memory
// item: histogram_shared counts every value in its bin
// diagnosis: wrong-result
// todo: 1
//
// The mistake: bin_of lets the bins end one too early, and all three functions use it. TODO(1) has to be corrected first.
// Read: the handout, "Which bin is a value's?".

// TODO(1)
// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return nbins < 3 ? min(static_cast<unsigned>(value), nbins - 1) : min(static_cast<unsigned>(value), nbins - 2);
}

// Sets all bins to zero.
void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned)); }

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)
