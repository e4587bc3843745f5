// mutant: blocks that own no bin return at once
// item: histogram_cluster shares out bins that the cluster size does not divide
// diagnosis: blocks-without-bins
// backends: sim
//
// The mistake: a block that owns no bin returns. Its values, which belong to bins of other blocks, are never counted.
// Read: the handout, "A histogram for every cluster".

// GIVEN(histogram_cluster_kernel)
__global__ void histogram_cluster_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 // GPUs before this one have no clusters
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned share = bins_per_block(nbins, cluster.num_blocks());
  const unsigned first = cluster.block_rank() * share;
  if (first >= nbins) return;
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) counts[b] = 0;
  cluster.sync();
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    const unsigned bin = bin_of(in[i], nbins);
    unsigned* owner = cluster.map_shared_rank(counts, bin / share);
    atomicAdd(&owner[bin % share], 1u);
  }
  cluster.sync();
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[first + b], counts[b]);
  }
#endif
}
// END GIVEN(histogram_cluster_kernel)
