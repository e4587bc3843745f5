// mutant: values read by every block
// item: histogram_shared reads every value once and coalesced
// diagnosis: read-again
//
// The mistake: each block counts the values of some bins, and so has to read all of them.
// Read: the handout, "A histogram for every block".

  // TODO(2)
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) {
    const unsigned bin = bin_of(in[i], nbins);
    if (bin % gridDim.x == blockIdx.x) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
  }
  // END TODO(2)
