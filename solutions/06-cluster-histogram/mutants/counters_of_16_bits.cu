// mutant: counters of 16 bits
// item: histogram_shared counts every value in its bin
// diagnosis: counter-overflow
// backends: cuda
//
// The mistake: two counters in one word, so that twice as many fit, and nothing that looks after those which
// have reached 65,535.
// Read: more.md, "Smaller counters".

  // TODO(2)
  // counts: two counters of 16 bits in each
  for (unsigned b = threadIdx.x; b < (nbins + 1) / 2; b += blockDim.x) counts[b] = 0;
  __syncthreads(); // all counters are zero before a thread counts
  const std::size_t all_threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += all_threads) {
    const unsigned bin = bin_of(in[i], nbins);
    atomicAdd(&counts[bin / 2], 1u << bin % 2 * 16);
  }
  __syncthreads(); // all threads have counted before one reads a counter
  for (unsigned b = threadIdx.x; b < nbins; b += blockDim.x) {
    const unsigned count = counts[b / 2] >> b % 2 * 16 & 0xffff;
    if (count != 0) atomicAdd(&bins[b], count);
  }
  // END TODO(2)

// GIVEN(histogram_shared)
bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = (nbins + 1) / 2 * sizeof(unsigned);
  if (shared_bytes > most_shared_bytes()) return false;
  cudaFuncSetAttribute(histogram_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared_bytes));
  clear(bins, nbins);
  const unsigned blocks = blocks_for(histogram_shared_kernel, n, shared_bytes);
  histogram_shared_kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
  return true;
}
// END GIVEN(histogram_shared)
