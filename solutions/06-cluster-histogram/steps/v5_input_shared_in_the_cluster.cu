// Step 5: a cluster passes the values around.
//
// Idea        beyond 116,224 bins the blocks of a cluster share out the bins again, but no atomic leaves its
//             block: every block gets all values of the cluster, and counts those of its own bins. A value is
//             read from global memory once, by one block, which leaves it in its shared memory; there the
//             others fetch it, 16 bytes per lane.
// Bottleneck  the network between multiprocessors, over which every value goes size - 1 times, and a cluster
//             barrier for every round.
// Counters    one shared atomic per value, none remote; (size - 1) / 4 remote loads of 16 bytes per value; every
//             value read from global memory once.
// Beyond the readable solution: no item asks for this. (The counters are those of step 4. Between two
// barriers a block's threads add at most 1024 * 4 * 8 = 2^15, so that a counter stays at or below
// 2^15 - 1 + 2^15 = 2^16 - 1.)
// Beyond 798,720 bins the tiles leave too little room in 8 blocks, and global memory is taken, although 16
// blocks of histogram_cluster have room for 929,792.
//
// fails: histogram takes the nearest memory that holds the counters and says which: farther-than-needed

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads_per_block = 1024;
constexpr unsigned largest_cluster = 8;
constexpr unsigned guard = 1u << 15;
constexpr std::size_t tile_bytes = threads_per_block * sizeof(int4); // a block's values of one round
static_assert(threads_per_block * 4 * largest_cluster <= guard,
              "a counter could run over between two barriers");

constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

__device__ unsigned bin_of(int value, unsigned nbins) {
  return min(static_cast<unsigned>(max(value, 0)), nbins - 1);
}

// Adds one to the bin's half of counts[bin / 2]. A counter that reaches the guard is emptied into `bins`.
__device__ void count_packed(unsigned* counts, unsigned* bins, unsigned bin) {
  const unsigned shift = bin % 2 * 16;
  const unsigned old = atomicAdd(&counts[bin / 2], 1u << shift) >> shift & 0xffff;
  if (old != guard - 1) return;
  atomicSub(&counts[bin / 2], guard << shift);
  atomicAdd(&bins[bin], guard);
}

// Block r of a cluster owns the `share` bins from r * share on; `share` is even. Its shared memory: two tiles
// of a vector for each thread, used in turns, and share / 2 words of two counters each.
__global__ void histogram_cluster_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins,
                                         unsigned share) {
  extern __shared__ int4 tiles[];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 // GPUs before this one have no clusters
  unsigned* counts = reinterpret_cast<unsigned*>(tiles + 2 * threads_per_block);
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned size = cluster.num_blocks(), rank = cluster.block_rank();
  const unsigned first_bin = rank * share;
  unsigned* own_bins = bins + first_bin;
  for (unsigned w = threadIdx.x; w < share / 2; w += blockDim.x) counts[w] = 0;
  const auto count = [&](int value) {
    const unsigned bin = bin_of(value, nbins) - first_bin; // below first_bin: a very large number
    if (bin < share) count_packed(counts, own_bins, bin);
  };
  const int4* vectors = reinterpret_cast<const int4*>(in);
  const std::size_t per_round = std::size_t{gridDim.x} * blockDim.x;
  unsigned turn = 0;
  // All blocks of the cluster go the same number of rounds: in each it has size * blockDim.x vectors from
  // `begin` on.
  for (std::size_t begin = std::size_t{blockIdx.x - rank} * blockDim.x; begin < n / 4; begin += per_round) {
    int4* tile = tiles + turn * threads_per_block;
    const std::size_t own = begin + rank * blockDim.x + threadIdx.x;
    if (own < n / 4) tile[threadIdx.x] = vectors[own];
    cluster.sync(); // the tiles of all blocks are there, and no block reads those of the round before last
    for (unsigned k = 0; k < size; ++k) {
      const unsigned r = (rank + k) % size; // each begins at home, so that not all go to one block at once
      if (begin + r * blockDim.x + threadIdx.x >= n / 4) continue;
      const int4 v = cluster.map_shared_rank(tile, r)[threadIdx.x];
      count(v.x);
      count(v.y);
      count(v.z);
      count(v.w);
    }
    turn ^= 1;
  }
  cluster.sync(); // no block reads another block's tiles any more
  if (const std::size_t last = n / 4 * 4 + threadIdx.x; blockIdx.x < size && last < n) count(in[last]);
  __syncthreads();
  for (unsigned w = threadIdx.x; w < share / 2; w += blockDim.x) {
    const unsigned low = counts[w] & 0xffff, high = counts[w] >> 16;
    if (low != 0) atomicAdd(&own_bins[2 * w], low);
    if (high != 0) atomicAdd(&own_bins[2 * w + 1], high);
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

// Counts in clusters of `cluster_size` blocks, if the device can run them and their memory holds the
// counters.
bool count_in_clusters(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size) {
  const auto kernel = histogram_cluster_kernel;
  const auto share = static_cast<unsigned>(divide_up(divide_up(nbins, cluster_size), 2) * 2);
  const std::size_t shared_bytes = 2 * tile_bytes + share / 2 * sizeof(unsigned);
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
      !succeeds(cudaOccupancyMaxActiveClusters(&most, kernel, &config)) || most == 0)
    return false;
  const std::size_t needed = divide_up(n, std::size_t{cluster_size} * threads_per_block * 4);
  config.gridDim.x = cluster_size * static_cast<unsigned>(
                                        std::clamp<std::size_t>(needed, 1, static_cast<std::size_t>(most)));
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  cudaLaunchKernelEx(&config, kernel, in, n, bins, nbins, share);
  return true;
}

} // namespace

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  for (unsigned cluster_size = 1; cluster_size <= largest_cluster; cluster_size *= 2) {
    if (count_in_clusters(in, n, bins, nbins, cluster_size))
      return cluster_size == 1 ? Regime::shared : Regime::distributed;
  }
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  const auto blocks = 2 * static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
  return Regime::global;
}
