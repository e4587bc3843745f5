// mutant: counted in both memories
// item: histogram_shared adds to global memory once for every bin and block
// diagnosis: global-atomics
//
// The mistake: every value is counted in global memory; that in shared memory comes on top and saves nothing.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
    atomicAdd(&bins[bin_of(in[i], nbins)], 1u);
  }
  // END TODO(2)
