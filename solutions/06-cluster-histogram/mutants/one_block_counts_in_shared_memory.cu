// mutant: one block counts in shared memory
// item: histogram_shared reads every value once and coalesced
// diagnosis: one-block-counts
//
// The mistake: all blocks clear and add up, and the first one alone goes through the values.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  for (std::size_t i = threadIdx.x; blockIdx.x == 0 && i < n; i += blockDim.x)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
