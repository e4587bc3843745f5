// Blocks of 128 threads; bins dealt out to the blocks of a cluster like cards; a kernel that clears; 16-byte
// loads; atomics for every counter, zero or not. No loop goes in steps of the grid: each block has a piece of
// the values.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads = 128;
constexpr unsigned most_blocks = 4096;

struct Piece {
  std::size_t begin, end;
};

// The piece of n values that number `index` of `count` takes, beginning at a multiple of four values.
__host__ __device__ Piece piece_of(std::size_t n, std::size_t index, std::size_t count) {
  const std::size_t length = (n / count + 4) / 4 * 4;
  const std::size_t begin = index * length < n ? index * length : n;
  return {begin, n - begin < length ? n : begin + length};
}

__device__ unsigned clamped(int value, unsigned nbins) {
  const int last = static_cast<int>(nbins) - 1;
  return static_cast<unsigned>(value < 0 ? 0 : value > last ? last : value);
}

template <typename Count>
__device__ void walk(const int* in, Piece piece, Count count) {
  for (std::size_t i = piece.begin + 4 * threadIdx.x; i < piece.end; i += 4 * threads) {
    if (i + 4 <= piece.end) {
      const int4 v = *reinterpret_cast<const int4*>(in + i);
      count(v.x), count(v.y), count(v.z), count(v.w);
    } else {
      for (std::size_t k = i; k < piece.end; ++k) count(in[k]);
    }
  }
}

__global__ void clear_kernel(unsigned* bins, unsigned nbins) {
  const unsigned b = blockIdx.x * threads + threadIdx.x;
  if (b < nbins) bins[b] = 0;
}

__global__ void in_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  walk(in, piece_of(n, blockIdx.x, gridDim.x), [=](int v) { atomicAdd(bins + clamped(v, nbins), 1); });
}

__global__ void in_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned own[];
  for (unsigned b = threadIdx.x; b < nbins; b += threads) own[b] = 0;
  __syncthreads();
  walk(in, piece_of(n, blockIdx.x, gridDim.x), [=](int v) { atomicAdd(own + clamped(v, nbins), 1); });
  __syncthreads();
  for (unsigned b = threadIdx.x; b < nbins; b += threads) atomicAdd(bins + b, own[b]);
}

__global__ void in_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned own[]; // own[k] counts bin k * size + rank
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned size = cluster.num_blocks(), rank = cluster.block_rank();
  for (unsigned k = threadIdx.x; k * size + rank < nbins; k += threads) own[k] = 0;
  cluster.barrier_arrive();
  const Piece piece = piece_of(n, blockIdx.x, gridDim.x);
  cluster.barrier_wait();
  walk(in, piece, [=](int v) {
    const unsigned bin = clamped(v, nbins);
    unsigned* counter = own + bin / size;
    if (bin % size != rank) counter = cluster.map_shared_rank(counter, bin % size);
    atomicAdd(counter, 1);
  });
  cluster.sync();
  for (unsigned k = threadIdx.x; k * size + rank < nbins; k += threads)
    atomicAdd(bins + k * size + rank, own[k]);
#endif
}

void clear(unsigned* bins, unsigned nbins) {
  clear_kernel<<<(nbins + threads - 1) / threads, threads>>>(bins, nbins);
}

unsigned blocks_for(std::size_t n) {
  const std::size_t wanted = n / (16 * threads) + 1;
  return static_cast<unsigned>(wanted < most_blocks ? wanted : most_blocks);
}

std::size_t room() {
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  return static_cast<std::size_t>(bytes);
}

} // namespace

void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  in_global<<<blocks_for(n), threads>>>(in, n, bins, nbins);
}

bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t bytes = std::size_t{nbins} * 4;
  if (bytes > room()) return false;
  cudaFuncSetAttribute(in_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  clear(bins, nbins);
  const unsigned blocks = blocks_for(n) < 264 ? blocks_for(n) : 264;
  in_shared<<<blocks, threads, bytes>>>(in, n, bins, nbins);
  return true;
}

bool histogram_cluster(const int* in, std::size_t n, unsigned* bins, unsigned nbins, unsigned cluster_size) {
  const std::size_t bytes = (nbins / cluster_size + 1) * 4 > room()
                                ? nbins / cluster_size * 4 + (nbins % cluster_size ? 4 : 0)
                                : (nbins / cluster_size + 1) * 4;
  if (cluster_size > 16 || bytes > room()) return false;
  cudaFuncSetAttribute(in_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = cluster_size;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.blockDim = dim3(threads);
  config.gridDim = dim3(cluster_size);
  config.dynamicSmemBytes = bytes;
  config.attrs = attribute;
  config.numAttrs = 1;
  if (cluster_size > 8) cudaFuncSetAttribute(in_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  int clusters = 0;
  const cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, in_cluster, &config);
  if (error != cudaSuccess || clusters < 1) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  const unsigned wanted = blocks_for(n) / cluster_size + 1;
  const unsigned most = static_cast<unsigned>(clusters);
  config.gridDim.x = cluster_size * (wanted < most ? wanted : most);
  clear(bins, nbins);
  cudaLaunchKernelEx(&config, in_cluster, in, n, bins, nbins);
  return true;
}

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  if (histogram_shared(in, n, bins, nbins)) return Regime::shared;
  unsigned size = 2;
  while (size <= 16 && !histogram_cluster(in, n, bins, nbins, size)) ++size;
  if (size <= 16) return Regime::distributed;
  histogram_global(in, n, bins, nbins);
  return Regime::global;
}
