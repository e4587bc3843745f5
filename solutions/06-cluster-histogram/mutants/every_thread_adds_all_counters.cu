// mutant: every thread adds all counters
// item: histogram_shared counts every value in its bin
// diagnosis: counted-more-than-once
//
// The mistake: each thread of the block adds every counter, not its share of them: the counts are 1024 times
// too large.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = 0; b < nbins; ++b) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
