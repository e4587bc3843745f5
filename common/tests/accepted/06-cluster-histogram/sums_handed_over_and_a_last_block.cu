// Blocks and clusters leave their counters in rows of scratch memory, and the last block to take a ticket adds
// up the rows. Where there is room, a block of a cluster counts at home first, and then hands each sum to the
// block that owns the bin.
// A part of the contract.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads_per_block = 512;
constexpr unsigned most_rows = 64;

__device__ unsigned bin_of(int value, unsigned nbins) {
  const unsigned bin = value > 0 ? static_cast<unsigned>(value) : 0u;
  return bin < nbins ? bin : nbins - 1;
}

__device__ unsigned tickets; // 0 again when the last block has its own

// Called by all threads of all blocks, which have written `count` rows of nbins counters: the last block to come
// adds them up, one thread for each bin.
__device__ void add_rows_at_last(const unsigned* rows, unsigned count, unsigned* bins, unsigned nbins) {
  __threadfence(); // the rows come before the ticket
  __syncthreads();
  const bool is_last = threadIdx.x == 0 && atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  if (!__syncthreads_or(is_last)) return;
  __threadfence();
  for (unsigned b = threadIdx.x; b < nbins; b += threads_per_block) {
    unsigned sum = 0;
    for (unsigned r = 0; r < count; ++r) sum += rows[std::size_t{r} * nbins + b];
    bins[b] = sum;
  }
}

__global__ void block_rows(const int* in, std::size_t n, unsigned* rows, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  for (unsigned b = threadIdx.x; b < nbins; b += threads_per_block) counts[b] = 0;
  __syncthreads();
  for (std::size_t i = std::size_t{blockIdx.x} * threads_per_block + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * threads_per_block)
    atomicAdd(counts + bin_of(in[i], nbins), 1u);
  __syncthreads();
  unsigned* row = rows + std::size_t{blockIdx.x} * nbins;
  for (unsigned b = threadIdx.x; b < nbins; b += threads_per_block) row[b] = counts[b];
  add_rows_at_last(rows, gridDim.x, bins, nbins);
}

// counts: `share` counters of the bins that this block owns and, if it counts at home first, one for every bin.
__global__ void cluster_rows(const int* in, std::size_t n, unsigned* rows, unsigned* bins, unsigned nbins,
                             unsigned share, bool at_home) {
  extern __shared__ unsigned counts[];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  auto cluster = cg::this_cluster();
  unsigned* home = counts + share;
  const auto add = [&](unsigned bin, unsigned amount) {
    atomicAdd(cluster.map_shared_rank(counts, bin / share) + bin % share, amount);
  };
  for (unsigned b = threadIdx.x; b < share + (at_home ? nbins : 0); b += threads_per_block) counts[b] = 0;
  cluster.sync();
  for (std::size_t i = std::size_t{blockIdx.x} * threads_per_block + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * threads_per_block) {
    const unsigned bin = bin_of(in[i], nbins);
    if (at_home)
      atomicAdd(home + bin, 1u);
    else
      add(bin, 1);
  }
  if (at_home) {
    __syncthreads(); // the block has counted
    for (unsigned b = threadIdx.x; b < nbins; b += threads_per_block)
      if (home[b] != 0) add(b, home[b]);
  }
  cluster.sync();
  unsigned* row = rows + std::size_t{blockIdx.x / cluster.num_blocks()} * nbins;
  const unsigned first = cluster.block_rank() * share;
  for (unsigned b = threadIdx.x; b < share && first + b < nbins; b += threads_per_block)
    row[first + b] = counts[b];
  add_rows_at_last(rows, gridDim.x / cluster.num_blocks(), bins, nbins);
#endif
}

unsigned* scratch(std::size_t counters) {
  static unsigned* memory = nullptr;
  static std::size_t capacity = 0;
  if (counters > capacity) {
    cudaFree(memory);
    cudaMalloc(&memory, counters * sizeof(unsigned));
    capacity = counters;
  }
  return memory;
}

unsigned ceil_of(std::size_t a, std::size_t b) { return static_cast<unsigned>((a + b - 1) / b); }

bool fits(std::size_t counters) {
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  return counters * sizeof(unsigned) <= static_cast<std::size_t>(bytes);
}

cudaLaunchConfig_t config_of(cudaLaunchAttribute& cluster, unsigned cluster_size, unsigned clusters,
                             std::size_t bytes) {
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {cluster_size, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = cluster_size * clusters;
  config.blockDim = threads_per_block;
  config.dynamicSmemBytes = bytes;
  config.attrs = &cluster;
  config.numAttrs = 1;
  return config;
}

// Whether the device runs clusters of this size whose blocks have so many counters each.
bool runs(unsigned cluster_size, unsigned counters) {
  if (cluster_size == 0 || cluster_size > 16 || !fits(counters)) return false;
  const std::size_t bytes = counters * sizeof(unsigned);
  cudaLaunchAttribute cluster = {};
  const cudaLaunchConfig_t config = config_of(cluster, cluster_size, 1, bytes);
  int active = 0;
  const bool can =
      cudaFuncSetAttribute(cluster_rows, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess &&
      cudaFuncSetAttribute(cluster_rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(bytes)) == cudaSuccess &&
      cudaOccupancyMaxActiveClusters(&active, cluster_rows, &config) == cudaSuccess && active > 0;
  if (!can) cudaGetLastError();
  return can;
}

} // namespace

bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  if (!fits(nbins)) return false;
  const unsigned rows = std::clamp(ceil_of(n, 8 * threads_per_block), 1u, most_rows);
  const std::size_t bytes = nbins * sizeof(unsigned);
  unsigned* memory = scratch(std::size_t{rows} * nbins);
  cudaFuncSetAttribute(block_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  block_rows<<<rows, threads_per_block, bytes>>>(in, n, memory, bins, nbins);
  return true;
}

bool histogram_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size) {
  const unsigned share = cluster_size == 0 ? 0 : ceil_of(nbins, cluster_size);
  const bool at_home = share + nbins <= 48 * 1024 / sizeof(unsigned);
  const unsigned counters = share + (at_home ? nbins : 0);
  if (!runs(cluster_size, counters)) return false;
  const unsigned rows = std::clamp(ceil_of(n, std::size_t{16} * threads_per_block * cluster_size), 1u,
                                   std::max(1u, most_rows / cluster_size));
  unsigned* memory = scratch(std::size_t{rows} * nbins);
  cudaLaunchAttribute cluster = {};
  const cudaLaunchConfig_t config = config_of(cluster, cluster_size, rows, counters * sizeof(unsigned));
  cudaLaunchKernelEx(&config, cluster_rows, in, n, memory, bins, nbins, share, at_home);
  return true;
}
