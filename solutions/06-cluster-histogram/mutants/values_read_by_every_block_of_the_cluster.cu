// mutant: values read by every block of the cluster
// item: histogram_cluster reads every value once and coalesced
// diagnosis: read-again
//
// The mistake: each block reads all values of its cluster and counts those of its own bins. All atomics stay
// at home, and every value is read as often as the cluster has blocks.
// Read: the handout, "A histogram for every cluster".

// TODO(3)
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
  const unsigned size = cluster.num_blocks();
  const std::size_t all_threads = std::size_t{gridDim.x / size} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x / size} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    const unsigned bin = bin_of(in[i], nbins);
    if (bin / share == cluster.block_rank()) atomicAdd(&counts[bin % share], 1u);
  }
  cluster.sync(); // all blocks of the cluster have counted
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[first + b], counts[b]);
  }
#endif
}
// END TODO(3)
