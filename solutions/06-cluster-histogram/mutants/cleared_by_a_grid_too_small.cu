// mutant: cleared by a grid too small
// item: histogram_global counts every value in its bin
// backends: sim
// diagnosis: bins-not-zeroed
//
// The mistake: a kernel of at most 1024 blocks of 1024 threads clears, one bin a thread, without a loop. With
// more than 2^20 bins the last ones keep what they held.
// Read: the handout, "An atomic for every value".

// TODO(1)
// Sets all bins to zero.
__global__ void clear_kernel(unsigned* bins, unsigned nbins) {
  const unsigned b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < nbins) bins[b] = 0;
}

// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return min(static_cast<unsigned>(value), nbins - 1);
}

void clear(unsigned* bins, unsigned nbins) {
  const std::size_t blocks = std::min<std::size_t>(divide_up(nbins, threads_per_block), 1024);
  clear_kernel<<<static_cast<unsigned>(blocks), threads_per_block>>>(bins, nbins);
}

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)
