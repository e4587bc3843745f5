// mutant: chunk for every thread in shared memory
// item: histogram_shared reads every value once and coalesced
// diagnosis: uncoalesced
//
// The mistake: neighbouring values for each thread, as on a CPU. It shows only where there are more values
// than threads.
// Read: the handout, "An atomic for every value".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x, chunk = divide_up(n, all_threads);
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * chunk;
  for (std::size_t i = first; i < first + chunk && i < n; ++i) atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
