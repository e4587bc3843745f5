// Step 2: a cluster shares out the bins.
//
// Idea        where one block's shared memory is too small, that of a cluster's blocks together holds the
//             counters: each block owns some of the bins, and all blocks count in one another's memory. A
//             cluster of one block is step 1.
// Bottleneck  atomics in another block's memory: with two blocks half of all atomics, with sixteen 94 of 100,
//             at a fraction of the speed of those in its own memory.
// Counters    one shared atomic per value, (size - 1) / size of them remote; two cluster barriers; global
//             atomics: at most one for every bin and cluster.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads_per_block = 1024;

__host__ __device__ constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

__device__ unsigned bin_of(int value, unsigned nbins) {
  return min(static_cast<unsigned>(max(value, 0)), nbins - 1);
}

// Block r of a cluster owns the `share` bins from r * share on, and has a counter for each in `counts`.
__global__ void histogram_cluster_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins,
                                         unsigned share) {
  extern __shared__ unsigned counts[];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 // GPUs before this one have no clusters
  const cg::cluster_group cluster = cg::this_cluster();
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) counts[b] = 0;
  cluster.sync(); // every block has started, and its counters are zero
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    const unsigned bin = bin_of(in[i], nbins);
    atomicAdd(&cluster.map_shared_rank(counts, bin / share)[bin % share], 1u);
  }
  cluster.sync(); // all blocks of the cluster have counted
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[cluster.block_rank() * share + b], counts[b]);
  }
#endif
}

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}

bool succeeds(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError(); // so that no later call finds it
  return error == cudaSuccess;
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, 0);
  return value;
}

} // namespace

bool histogram_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size) {
  const auto kernel = histogram_cluster_kernel;
  const auto share = static_cast<unsigned>(divide_up(nbins, cluster_size));
  const std::size_t shared_bytes = share * sizeof(unsigned);
  if (cluster_size > 16) return false;
  if (shared_bytes > static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)))
    return false;
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = cluster_size;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = cluster_size;
  config.blockDim = threads_per_block;
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &cluster;
  config.numAttrs = 1;
  int most = 0;
  if (!succeeds(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(shared_bytes))) ||
      !succeeds(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)) ||
      !succeeds(cudaOccupancyMaxActiveClusters(&most, kernel, &config)) || most == 0)
    return false;
  const std::size_t needed = divide_up(n, std::size_t{cluster_size} * threads_per_block);
  config.gridDim.x = cluster_size * static_cast<unsigned>(
                                        std::clamp<std::size_t>(needed, 1, static_cast<std::size_t>(most)));
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  cudaLaunchKernelEx(&config, kernel, in, n, bins, nbins, share);
  return true;
}

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  for (unsigned cluster_size = 1; cluster_size <= 16; cluster_size *= 2) {
    if (histogram_cluster(in, n, bins, nbins, cluster_size))
      return cluster_size == 1 ? Regime::shared : Regime::distributed;
  }
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  const auto most = 2 * static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount));
  const auto blocks = std::clamp<std::size_t>(divide_up(n, threads_per_block), 1, most);
  histogram_global_kernel<<<static_cast<unsigned>(blocks), threads_per_block>>>(in, n, bins, nbins);
  return Regime::global;
}
