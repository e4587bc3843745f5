// Step 1: every block counts in shared memory.
//
// Idea        a block keeps counters for all bins in its shared memory, where an atomic costs a fraction; in
//             the end it adds each of them to `bins` once.
// Bottleneck  shared atomics and the latency of 4-byte loads; with many bins only one block fits on a
//             multiprocessor. More than 58,112 bins (227 KiB) do not fit at all.
// Counters    one shared atomic per value; global atomics: at most one for every bin and block.
//
// fails: histogram takes the nearest memory that holds the counters and says which: farther-than-needed

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads_per_block = 1024;

__device__ unsigned bin_of(int value, unsigned nbins) {
  return min(static_cast<unsigned>(max(value, 0)), nbins - 1);
}

// counts: nbins counters of this block's own; without them (`counts_in_bins`) the values count in `bins`
// directly.
template <bool counts_in_bins>
__global__ void histogram_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned shared_counts[];
  unsigned* counts = counts_in_bins ? bins : shared_counts;
  if (!counts_in_bins) {
    for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
    __syncthreads();
  }
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  if (counts_in_bins) return;
  __syncthreads();
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
}

template <typename Kernel>
void launch(Kernel kernel, std::size_t shared_bytes, const int* in, std::size_t n, unsigned* bins,
            unsigned nbins) {
  int multiprocessors = 0, blocks_on_each = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_on_each, kernel, threads_per_block, shared_bytes);
  const std::size_t most =
      static_cast<std::size_t>(multiprocessors) * static_cast<std::size_t>(blocks_on_each);
  const std::size_t blocks =
      std::clamp<std::size_t>((n + threads_per_block - 1) / threads_per_block, 1, most);
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  kernel<<<static_cast<unsigned>(blocks), threads_per_block, shared_bytes>>>(in, n, bins, nbins);
}

} // namespace

bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  int most_bytes = 0;
  cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  if (shared_bytes > static_cast<std::size_t>(most_bytes)) return false;
  launch(histogram_kernel<false>, shared_bytes, in, n, bins, nbins);
  return true;
}

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  launch(histogram_kernel<true>, 0, in, n, bins, nbins);
  return Regime::global;
}
