// Lab 06: a histogram in distributed shared memory. Complete the TODO regions; README.md beside this file is
// the handout.
//
//   ./warpbook check 06        grades this file and says what is wrong

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads_per_block = 1024;

__host__ __device__ constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Whether a call succeeded. If not, its error is removed, so that no later call finds it.
[[maybe_unused]] bool succeeds(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
  return error == cudaSuccess;
}

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

} // namespace

// ---- histogram_global: an atomic in global memory for every value --------------------------------------

namespace {

// TODO(1): which bin a value counts in, bins that begin at zero, and an atomic for every value
// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return min(static_cast<unsigned>(value), nbins - 1);
}

// Sets all bins to zero.
void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned)); }

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(1)

} // namespace

void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  const unsigned blocks = blocks_for(histogram_global_kernel, n, 0);
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}

// ---- histogram_shared: every block counts for itself ---------------------------------------------------

namespace {

// counts: nbins counters of this block's own.
__global__ void histogram_shared_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  // TODO(2): counters that begin at zero, an atomic for every value, and one in `bins` for every counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
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

// ---- histogram_cluster: the blocks of a cluster share out the bins -------------------------------------

namespace {

// TODO(3): whose bins are whose, and counting in the memory of the block that owns the bin
// Bins that a block of the cluster owns: block r has those from r * bins_per_block on, the last one perhaps
// fewer.
__host__ __device__ unsigned bins_per_block(unsigned nbins, unsigned cluster_size) {
  return static_cast<unsigned>(divide_up(nbins, cluster_size));
}

// counts: a counter for each bin that this block owns.
__global__ void histogram_cluster_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 // GPUs before this one have no clusters
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned share = bins_per_block(nbins, cluster.num_blocks());
  const unsigned first = cluster.block_rank() * share;
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) counts[b] = 0;
  cluster.sync(); // every block has started, and its counters are zero
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    const unsigned bin = bin_of(in[i], nbins);
    unsigned* owner = cluster.map_shared_rank(counts, bin / share);
    atomicAdd(&owner[bin % share], 1u);
  }
  cluster.sync(); // all blocks of the cluster have counted
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[first + b], counts[b]);
  }
#endif
}
// END TODO(3)

} // namespace

bool histogram_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size) {
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = cluster_size;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.attrs = &cluster;
  config.numAttrs = 1;
  config.gridDim = cluster_size; // one cluster
  config.blockDim = threads_per_block;
  config.dynamicSmemBytes = bins_per_block(nbins, cluster_size) * sizeof(unsigned);
  // TODO(4): large clusters, much shared memory, as many clusters as run at once; or say that none can
  if (cluster_size > 16 || config.dynamicSmemBytes > most_shared_bytes()) return false;
  if (!succeeds(cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(config.dynamicSmemBytes))))
    return false;
  if (!succeeds(
          cudaFuncSetAttribute(histogram_cluster_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)))
    return false;
  int most = 0;
  if (!succeeds(cudaOccupancyMaxActiveClusters(&most, histogram_cluster_kernel, &config)) || most == 0)
    return false;
  const std::size_t needed = divide_up(n, std::size_t{cluster_size} * threads_per_block);
  config.gridDim.x = cluster_size * static_cast<unsigned>(
                                        std::clamp<std::size_t>(needed, 1, static_cast<std::size_t>(most)));
  // END TODO(4)
  clear(bins, nbins);
  cudaLaunchKernelEx(&config, histogram_cluster_kernel, in, n, bins, nbins);
  return true;
}

// ---- histogram: the nearest memory that holds all counters ---------------------------------------------

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  // TODO(5): the nearest memory that takes the counters, and which one it was
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  for (unsigned cluster_size = 2; cluster_size <= 16; cluster_size *= 2) {
    if (histogram_cluster(in, n, bins, nbins, cluster_size)) return Regime::distributed;
  }
  histogram_global(in, n, bins, nbins);
  // END TODO(5)
  return Regime::global;
}
