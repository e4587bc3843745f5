// mutant: counters of the first block only
// item: histogram_shared counts every value in its bin
// diagnosis[sim]: first-block-only
// diagnosis[cuda]: tail-left-out
//
// The mistake: one block adds up, as if there were one set of counters. Every block has its own, and those of
// the others are lost.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  if (blockIdx.x != 0) return;
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
