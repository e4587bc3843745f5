// mutant: tail skipped
// item: histogram_global counts every value in its bin
// diagnosis: tail-left-out
//
// The mistake: n / threads_per_block rounds down, and every thread takes one value: the values after the last
// whole block have no thread.
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
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}

} // namespace

void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  const auto blocks = static_cast<unsigned>(n / threads_per_block);
  if (blocks != 0) histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}
