// mutant: length in 32 bits
// item: histogram_global counts every value in its bin
// diagnosis: index-in-32-bits
// backends: cuda
//
// The mistake: an int counts to 2,147,483,647. A longer array has a negative length as an int, and no thread
// counts.
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
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < static_cast<int>(n);
       i += static_cast<int>(all_threads))
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)
