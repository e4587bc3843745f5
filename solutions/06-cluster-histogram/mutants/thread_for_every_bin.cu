// mutant: thread for every bin
// item: histogram_global reads every value once and coalesced
// diagnosis: read-again
//
// The mistake: a thread for every bin needs no atomics, and reads all values: each is read nbins times.
// Read: the handout, "An atomic for every value".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 1024;

// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return min(static_cast<unsigned>(value), nbins - 1);
}

// Sets all bins to zero.
void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned)); }

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const unsigned b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= nbins) return;
  unsigned count = 0;
  for (std::size_t i = 0; i < n; ++i) count += bin_of(in[i], nbins) == b ? 1 : 0;
  bins[b] = count;
}

} // namespace

void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  const unsigned blocks = (nbins + threads_per_block - 1) / threads_per_block;
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}
