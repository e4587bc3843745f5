// mutant: one value a thread
// item: histogram_global counts every value in its bin
// diagnosis: tail-left-out
//
// The mistake: a thread takes the value with its own number, and no other. With more values than the device
// holds threads the rest is lost.
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
  if (const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)
