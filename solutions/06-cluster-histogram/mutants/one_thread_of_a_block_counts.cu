// mutant: one thread of a block counts
// item: histogram_shared counts every value in its bin
// diagnosis: one-thread-of-many
//
// The mistake: the first thread of a block is to count for all, so that no thread is in its way; but it goes on by the
// threads of the whole grid, as if the others counted, too.
// Read: the handout, "An atomic for every value".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  if (threadIdx.x == 0) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x; i < n; i += all_threads)
      ++counts[bin_of(in[i], nbins)];
  }
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
