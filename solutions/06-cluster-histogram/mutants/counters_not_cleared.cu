// mutant: counters not cleared
// item: histogram_shared counts every value in its bin
// diagnosis: uninitialised-read
// backends: sim
//
// The mistake: shared memory holds anything when a block begins.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
