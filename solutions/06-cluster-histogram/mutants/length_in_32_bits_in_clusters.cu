// mutant: length in 32 bits in clusters
// item: histogram_cluster counts every value in its bin
// diagnosis: index-in-32-bits
// backends: cuda
//
// The mistake: the length is put into an int. Of an array of more than 2,147,483,647 values it is negative, and
// no cluster counts.
// Read: the handout, "A histogram for every cluster"; labs/06-cluster-histogram/lab.hpp: n is often more than 2^31.

// TODO(3)
__host__ __device__ unsigned bins_per_block(unsigned nbins, unsigned cluster_size) {
  return static_cast<unsigned>(divide_up(nbins, cluster_size));
}

__global__ void histogram_cluster_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  extern __shared__ unsigned counts[];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned share = bins_per_block(nbins, cluster.num_blocks());
  const unsigned first = cluster.block_rank() * share;
  for (unsigned b = threadIdx.x; b < share; b += blockDim.x) counts[b] = 0;
  cluster.sync();
  const int length = static_cast<int>(n);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < length;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
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
// END TODO(3)
