// mutant: a flag beside the counters
// item: histogram_shared takes as many bins as fit into all the shared memory of a block
// diagnosis: memory-beside-counters
// backends: sim
//
// The mistake: a static __shared__ flag says whether the block has any values, and takes 4 bytes that the
// counters need where they fill the memory.
// Read: the handout, "How much shared memory?".

  // TODO(2)
  __shared__ unsigned has_values;
  if (threadIdx.x == 0) has_values = std::size_t{blockIdx.x} * blockDim.x < n;
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  if (!has_values) return;
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
