// mutant: no cluster launched
// item: histogram_cluster launches as many clusters as the device holds at once
// diagnosis: no-clusters
//
// The mistake: all that decides about clusters is there, and then the values are counted in global memory,
// without a cluster.
// Read: the handout, "Launching clusters".

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads_per_block = 1024;

__host__ __device__ constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Whether a call succeeded. If not, its error is taken away, so that nobody finds it later.
bool succeeds(cudaError_t error) {
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

// The bin of a value: the value itself, unless it is below 0 or not below nbins.
__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value < 0) return 0;
  return min(static_cast<unsigned>(value), nbins - 1);
}

// Sets all bins to zero.
void clear(unsigned* bins, unsigned nbins) { cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned)); }

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
  cluster.sync(); // nobody counts any more, here or in another block's memory
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[first + b], counts[b]);
  }
#endif
}

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}

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
  clear(bins, nbins);
  histogram_global_kernel<<<config.gridDim.x, threads_per_block>>>(in, n, bins, nbins);
  return true;
}
