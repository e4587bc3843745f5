// mutant: more than 48 kib without asking
// item: histogram_shared takes as many bins as fit into all the shared memory of a block
// diagnosis[sim]: invalid-launch
// diagnosis[cuda]: cuda-error
//
// The mistake: a kernel gets more than 48 KiB of shared memory only after
// cudaFuncAttributeMaxDynamicSharedMemorySize says so.
// Read: the handout, "How much shared memory?".

// GIVEN(histogram_shared)
bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  if (shared_bytes > most_shared_bytes()) return false;
  clear(bins, nbins);
  const unsigned blocks = blocks_for(histogram_shared_kernel, n, shared_bytes);
  histogram_shared_kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
  return true;
}
// END GIVEN(histogram_shared)
