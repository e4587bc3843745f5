// mutant: one value a thread in shared memory
// item: histogram_shared counts every value in its bin
// diagnosis: tail-left-out
//
// The mistake: a thread takes the value with its own number, and no other. With more values than the device
// holds threads the rest is lost.
// Read: the handout, "An atomic for every value".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  if (const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n)
    atomicAdd(&counts[bin_of(in[i], nbins)], 1u);
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
