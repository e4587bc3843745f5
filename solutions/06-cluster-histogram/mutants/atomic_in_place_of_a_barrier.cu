// mutant: atomic in place of a barrier
// item: histogram_shared counts every value in its bin
// diagnosis: counts-lost
// backends: sim
//
// The mistake: the counters are read by an atomic, too, so that no two accesses race. But an atomic waits for
// no thread: one that is early adds a counter in which others still count.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (const unsigned count = atomicAdd(&counts[b], 0u); count != 0) atomicAdd(&bins[b], count);
  }
  // END TODO(2)
