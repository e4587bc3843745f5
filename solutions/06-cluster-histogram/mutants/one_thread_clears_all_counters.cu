// mutant: one thread clears all counters
// item: histogram_shared adds to global memory once for every bin and block
// diagnosis: one-thread-of-a-block
//
// The mistake: thread 0 clears all counters of its block, one after the other, and 1023 threads wait.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  if (threadIdx.x == 0) {
    for (unsigned b = 0; b < nbins; ++b) counts[b] = 0;
  }
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
