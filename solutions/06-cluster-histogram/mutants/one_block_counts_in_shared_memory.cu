// mutant: one block counts in shared memory
// item: histogram_shared reads every value once and coalesced
// diagnosis: one-block-counts
//
// The mistake: all blocks clear and add up, and the first one alone goes through the values.
// Read: the handout, "A histogram for every block".

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

// Bytes of shared memory that a block may have, if its kernel opts in to more than 48 KiB.
std::size_t most_shared_bytes() {
  return static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
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
  return min(static_cast<unsigned>(value), nbins - 1);
}

// Sets all bins to zero.
void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned)); }

// counts: nbins counters of this block's own.
__global__ void histogram_shared_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // nobody counts before all counters are zero
  for (std::size_t i = threadIdx.x; blockIdx.x == 0 && i < n; i += blockDim.x)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // nobody reads a counter before all have counted
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
}

} // namespace

bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  if (shared_bytes > most_shared_bytes()) return false;
  cudaFuncSetAttribute(histogram_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared_bytes));
  clear(bins, nbins);
  const unsigned blocks = blocks_for(histogram_shared_kernel, n, shared_bytes);
  histogram_shared_kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
  return true;
}
