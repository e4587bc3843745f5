// mutant: cleared and refused
// item: histogram_shared leaves bins alone where it says that they do not fit
// diagnosis: changed-and-refused
//
// The mistake: the bins are cleared before it is known whether a kernel will count.
// Read: the handout, "How much shared memory?".

// GIVEN(histogram_shared)
bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  if (shared_bytes > most_shared_bytes()) return false;
  cudaFuncSetAttribute(histogram_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared_bytes));
  const unsigned blocks = blocks_for(histogram_shared_kernel, n, shared_bytes);
  histogram_shared_kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
  return true;
}
// END GIVEN(histogram_shared)
