// mutant: shared memory of the cluster unused
// item: histogram_cluster waits for its cluster before and after it counts
// diagnosis: cluster-barriers
//
// The mistake: the loop is that of histogram_global_kernel, copied as it is. No block needs the cluster, and none waits
// for it.
// Read: the handout, "Two cluster barriers".

// TODO(3)
// Bins that a block of the cluster owns: block r has those from r * bins_per_block on, the last one perhaps
// fewer.
__host__ __device__ unsigned bins_per_block(unsigned nbins, unsigned cluster_size) {
  return static_cast<unsigned>(divide_up(nbins, cluster_size));
}

__global__ void histogram_cluster_kernel(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
}
// END TODO(3)
