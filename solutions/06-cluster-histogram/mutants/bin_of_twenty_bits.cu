// mutant: bin of twenty bits
// item: histogram_global counts values out of range in the first and the last bin
// backends: sim
// diagnosis: value-cut-off
//
// The mistake: a mask for the number of bins that somebody has seen. A value of 2^20 + 5 counts as 5, and the
// contract has up to 2^24 bins.
// Read: the handout, "Which bin is a value's?".

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 1024;

__host__ __device__ constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

int attribute(cudaDeviceAttr which) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, 0);
  return value;
}

// Blocks for n values: one value for each thread, or as many blocks as the device holds at once, each with
// `shared_bytes`; the threads then go through the values in steps of the whole grid.
template <typename Kernel>
unsigned blocks_for(Kernel kernel, std::size_t n, std::size_t shared_bytes) {
  int per_multiprocessor = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads_per_block, shared_bytes);
  const int most = attribute(cudaDevAttrMultiProcessorCount) * std::max(per_multiprocessor, 1);
  return static_cast<unsigned>(
      std::clamp<std::size_t>(divide_up(n, threads_per_block), 1, static_cast<std::size_t>(most)));
}

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

} // namespace

void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  const unsigned blocks = blocks_for(histogram_global_kernel, n, 0);
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}
