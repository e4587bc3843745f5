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
// The bin of a value: the value itself, unless it is below 0 or not below nbins. Those count in the first and
// the last bin. Mind that a comparison of an int with an unsigned turns the int into an unsigned.
__device__ unsigned bin_of(int value, unsigned nbins) { return 0; }

// Sets all bins to zero. So far it does nothing. cudaMemsetAsync(address, byte, number of bytes) fills
// memory on the device.
void clear(unsigned* bins, unsigned nbins) {}

__global__ void histogram_global_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  // There may be fewer threads than values. A thread takes the value with its own number in the whole grid,
  // then the one as many places on as the grid has threads, and so on while there are values. For each
  // it adds one to the value's bin. Other threads add to the same bin at the same moment: atomicAdd(address,
  // 1u).
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
  // Three parts. First the block's threads set the nbins counters to zero: there may be more counters than
  // threads. Then every thread goes through its values as in histogram_global_kernel, and counts in `counts`.
  // Last the threads go through the counters once more, and add each to its bin in `bins`, where other blocks
  // add theirs at the same moment. Some threads are faster than others: where could one be too early?
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
// fewer. So far the first block owns them all. What if cluster_size does not divide nbins?
__host__ __device__ unsigned bins_per_block(unsigned nbins, unsigned cluster_size) { return nbins; }

// counts: a counter for each bin that this block owns.
__global__ void histogram_cluster_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 // GPUs before this one have no clusters
  const cg::cluster_group cluster = cg::this_cluster();
  // The three parts of histogram_shared_kernel. cluster.num_blocks() blocks share out the bins, and this one
  // is number cluster.block_rank() of them. Which of them owns a value's bin, and which of its counters is
  // it? cluster.map_shared_rank(counts, r) is where block r has its `counts`; an atomicAdd works there,
  // too. Which blocks must this one wait for between the parts? cluster.sync() waits for all blocks of the
  // cluster. And which bin does counter b of this block belong to?
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
  // What is prepared here is one cluster, of at most 8 blocks with at most 48 KiB of shared memory each. More
  // shared memory and more than 8 blocks are attributes of the kernel (cudaFuncSetAttribute, as in
  // histogram_shared, and cudaFuncAttributeNonPortableClusterSizeAllowed).
  // cudaOccupancyMaxActiveClusters(&most, kernel, &config) says how many clusters run at once; it fails, or
  // says 0, where the device can run none. config.gridDim.x counts blocks, and has to be a multiple of
  // cluster_size. Return false before anything is changed, and leave no error behind: succeeds(call).
  // END TODO(4)
  clear(bins, nbins);
  cudaLaunchKernelEx(&config, histogram_cluster_kernel, in, n, bins, nbins);
  return true;
}

// ---- histogram: the nearest memory that holds all counters ---------------------------------------------

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  // TODO(5): the nearest memory that takes the counters, and which one it was
  // histogram_shared and histogram_cluster say whether the counters fit. Which cluster sizes will you try,
  // and in which order?
  // END TODO(5)
  return Regime::global;
}
