// The lanes of a warp that have the same bin send one of them (__match_any_sync): one atomic adds for all.
// One kernel template does all memories; a plan says which, and launches.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned warp_size = 32;

struct Histogram {
  const int* in;
  std::size_t n;
  unsigned* bins;
  unsigned nbins;
  unsigned share; // bins of a block
};

__device__ unsigned bin_of(int value, unsigned nbins) {
  if (value <= 0) return 0;
  if (value >= static_cast<int>(nbins)) return nbins - 1;
  return static_cast<unsigned>(value);
}

// counter_of(bin) is where a bin is counted. All lanes of a warp go the same number of rounds.
template <typename CounterOf>
__device__ void count(const Histogram& h, CounterOf counter_of) {
  const unsigned lane = threadIdx.x % warp_size;
  const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp_size;
  const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / warp_size;
  for (std::size_t first = warp * warp_size; first < h.n; first += warps * warp_size) {
    const bool has = first + lane < h.n;
    const unsigned bin = has ? bin_of(h.in[first + lane], h.nbins) : h.nbins;
    const unsigned same = __match_any_sync(0xffffffffu, bin);
    const bool leads = lane == static_cast<unsigned>(__ffs(static_cast<int>(same))) - 1;
    if (has && leads) atomicAdd(counter_of(bin), static_cast<unsigned>(__popc(same)));
  }
}

template <Regime regime>
__global__ void kernel(Histogram h) {
  extern __shared__ unsigned counts[];
  if constexpr (regime == Regime::global) {
    count(h, [&](unsigned bin) { return h.bins + bin; });
  } else if constexpr (regime == Regime::shared) {
    for (unsigned b = threadIdx.x; b < h.nbins; b += blockDim.x) counts[b] = 0;
    __syncthreads();
    count(h, [&](unsigned bin) { return counts + bin; });
    __syncthreads();
    for (unsigned b = threadIdx.x; b < h.nbins; b += blockDim.x)
      if (const unsigned c = counts[b]; c) atomicAdd(h.bins + b, c);
  } else {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    const cg::cluster_group cluster = cg::this_cluster();
    for (unsigned b = threadIdx.x; b < h.share; b += blockDim.x) counts[b] = 0;
    cluster.sync();
    count(h, [&](unsigned bin) { return cluster.map_shared_rank(counts + bin % h.share, bin / h.share); });
    cluster.sync();
    unsigned* mine = h.bins + cluster.block_rank() * h.share;
    for (unsigned b = threadIdx.x; b < h.share; b += blockDim.x)
      if (const unsigned c = counts[b]; c) atomicAdd(mine + b, c);
#endif
  }
}

struct Device {
  int multiprocessors = 0, shared_bytes = 0;
  Device() {
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  }
  bool holds(unsigned counters) const {
    return counters * sizeof(unsigned) <= static_cast<std::size_t>(shared_bytes);
  }
};

// Launches kernel<regime> with blocks of 256 threads; false if that cannot be.
template <Regime regime>
bool launch(Histogram h, unsigned cluster_size) {
  const Device device;
  h.share = (h.nbins - 1) / cluster_size + 1;
  const unsigned counters = regime == Regime::global ? 0 : h.share;
  if (!device.holds(counters) || cluster_size > 16) return false;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster_size;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.blockDim.x = 256;
  config.gridDim.x = cluster_size;
  config.dynamicSmemBytes = counters * sizeof(unsigned);
  config.attrs = &attribute;
  config.numAttrs = regime == Regime::distributed ? 1 : 0;
  const auto bytes = static_cast<int>(config.dynamicSmemBytes);
  if (bytes > 0) cudaFuncSetAttribute(kernel<regime>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  int groups = 4 * device.multiprocessors;
  if constexpr (regime == Regime::distributed) {
    groups = 0;
    if (cudaFuncSetAttribute(kernel<regime>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) !=
            cudaSuccess ||
        cudaOccupancyMaxActiveClusters(&groups, kernel<regime>, &config) != cudaSuccess || groups == 0) {
      cudaGetLastError();
      return false;
    }
  }
  const std::size_t wanted = h.n / (std::size_t{1024} * cluster_size) + 1;
  config.gridDim.x =
      cluster_size * static_cast<unsigned>(std::min<std::size_t>(wanted, static_cast<std::size_t>(groups)));
  cudaMemsetAsync(h.bins, 0, h.nbins * sizeof(unsigned), nullptr);
  return cudaLaunchKernelEx(&config, kernel<regime>, h) == cudaSuccess;
}

} // namespace

void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  launch<Regime::global>({in, n, bins, nbins, 0}, 1);
}

bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  return launch<Regime::shared>({in, n, bins, nbins, 0}, 1);
}

bool histogram_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size) {
  return launch<Regime::distributed>({in, n, bins, nbins, 0}, cluster_size);
}

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  const Device device;
  for (unsigned size = 2; size <= 16; ++size) {
    if (device.holds((nbins - 1) / size + 1) && histogram_cluster(in, n, bins, nbins, size))
      return Regime::distributed;
  }
  histogram_global(in, n, bins, nbins);
  return Regime::global;
}
