// mutant: looks at a counter before it counts
// item: histogram_shared adds to global memory once for every bin and block
// diagnosis: shared-atomics
// backends: sim
//
// The mistake: an atomic that adds nothing reads the counter, so that it does not run over, and a second one counts: two for
// every value. The counts are right.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    unsigned* counter = &counts[bin_of(in[i], nbins)];
    if (atomicAdd(counter, 0u) != 0xffffffff) atomicAdd(counter, 1u);
  }
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
