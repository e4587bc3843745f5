// mutant: counter of the owner without an index
// item: histogram_cluster counts every value in its bin
// diagnosis: all-in-first-counters
//
// The mistake: the atomic gets the pointer that map_shared_rank returns, which is the address of the owner's first counter.
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
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    const unsigned bin = bin_of(in[i], nbins);
    unsigned* owner = cluster.map_shared_rank(counts, bin / share);
    atomicAdd(owner, 1u);
  }
  cluster.sync(); // all blocks of the cluster have counted
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[first + b], counts[b]);
  }
#endif
}
// END TODO(3)
