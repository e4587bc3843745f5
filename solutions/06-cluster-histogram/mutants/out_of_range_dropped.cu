// mutant: out of range dropped
// item: histogram_global counts values out of range in the first and the last bin
// diagnosis: out-of-range-left-out
//
// The mistake: values out of range are left out, as many libraries do. The contract counts them in the first
// and the last bin.
// Read: the handout, "Which bin is a value's?".

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
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    if (in[i] >= 0 && static_cast<unsigned>(in[i]) < nbins) atomicAdd(&bins[in[i]], 1u);
  }
}
// END TODO(1)
