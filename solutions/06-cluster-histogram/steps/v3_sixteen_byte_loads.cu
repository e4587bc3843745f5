// Step 3: sixteen bytes per load, two in flight.
//
// Idea        a thread reads four values with one instruction, and the next four before it counts the first:
//             more bytes are in flight, and the instructions that find addresses and ends of loops are shared
//             by eight values.
// Bottleneck  up to 58,112 bins the memory that the values come from. Beyond, remote atomics as before.
// Counters    as in steps 1 and 2, with 16 sectors per load request in place of 4.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads_per_block = 1024;
constexpr unsigned values_per_thread = 8;

__host__ __device__ constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

__device__ unsigned bin_of(int value, unsigned nbins) {
  return min(static_cast<unsigned>(max(value, 0)), nbins - 1);
}

// Calls count(value) for every value of this thread: pairs of vectors, a vector, and what is left of n.
template <typename Count>
__device__ void for_each_value(const int* in, std::size_t n, Count count) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  const int4* vectors = reinterpret_cast<const int4*>(in);
  const auto count_all = [&](int4 v) {
    count(v.x);
    count(v.y);
    count(v.z);
    count(v.w);
  };
  std::size_t i = thread;
  for (; i + all_threads < n / 4; i += 2 * all_threads) {
    const int4 first = vectors[i], second = vectors[i + all_threads];
    count_all(first);
    count_all(second);
  }
  if (i < n / 4) count_all(vectors[i]);
  if (const std::size_t last = n / 4 * 4 + thread; last < n) count(in[last]);
}

__global__ void histogram_shared_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for_each_value(in, n, [&](int value) { atomicAdd(&counts[bin_of(value, nbins)], 1u); });
  __syncthreads();
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
}

// Block r of a cluster owns the `share` bins from r * share on.
__global__ void histogram_cluster_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins,
                                         unsigned share) {
  extern __shared__ unsigned counts[];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 // GPUs before this one have no clusters
  const cg::cluster_group cluster = cg::this_cluster();
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) counts[b] = 0;
  cluster.sync();
  for_each_value(in, n, [&](int value) {
    const unsigned bin = bin_of(value, nbins);
    atomicAdd(&cluster.map_shared_rank(counts, bin / share)[bin % share], 1u);
  });
  cluster.sync();
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[cluster.block_rank() * share + b], counts[b]);
  }
#endif
}

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  for_each_value(in, n, [&](int value) { atomicAdd(&bins[bin_of(value, nbins)], 1u); });
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

std::size_t most_shared_bytes() {
  return static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

template <typename Kernel>
void launch(Kernel kernel, std::size_t shared_bytes, const int* in, std::size_t n, unsigned* bins,
            unsigned nbins) {
  int blocks_on_each = 0;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_on_each, kernel, threads_per_block, shared_bytes);
  const auto most = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount) * blocks_on_each);
  const std::size_t blocks =
      std::clamp<std::size_t>(divide_up(n, threads_per_block * values_per_thread), 1, most);
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  kernel<<<static_cast<unsigned>(blocks), threads_per_block, shared_bytes>>>(in, n, bins, nbins);
}

} // namespace

bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  if (shared_bytes > most_shared_bytes()) return false;
  launch(histogram_shared_kernel, shared_bytes, in, n, bins, nbins);
  return true;
}

bool histogram_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size) {
  const auto kernel = histogram_cluster_kernel;
  const auto share = static_cast<unsigned>(divide_up(nbins, cluster_size));
  const std::size_t shared_bytes = share * sizeof(unsigned);
  if (cluster_size > 16 || shared_bytes > most_shared_bytes()) return false;
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
  const std::size_t needed = divide_up(n, std::size_t{cluster_size} * threads_per_block * values_per_thread);
  config.gridDim.x = cluster_size * static_cast<unsigned>(
                                        std::clamp<std::size_t>(needed, 1, static_cast<std::size_t>(most)));
  cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
  cudaLaunchKernelEx(&config, kernel, in, n, bins, nbins, share);
  return true;
}

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  for (unsigned cluster_size = 2; cluster_size <= 16; cluster_size *= 2) {
    if (histogram_cluster(in, n, bins, nbins, cluster_size)) return Regime::distributed;
  }
  launch(histogram_global_kernel, 0, in, n, bins, nbins);
  return Regime::global;
}
