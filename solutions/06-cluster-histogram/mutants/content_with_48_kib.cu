// mutant: content with 48 kib
// item: histogram_shared takes as many bins as fit into all the shared memory of a block
// diagnosis: refused
//
// The mistake: 48 KiB are what every kernel gets without asking, not what a block may have.
// Read: the handout, "How much shared memory?".

// GIVEN(histogram_shared)
bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  if (shared_bytes > 48 * 1024) return false;
  cudaFuncSetAttribute(histogram_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared_bytes));
  clear(bins, nbins);
  const unsigned blocks = blocks_for(histogram_shared_kernel, n, shared_bytes);
  histogram_shared_kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
  return true;
}
// END GIVEN(histogram_shared)
