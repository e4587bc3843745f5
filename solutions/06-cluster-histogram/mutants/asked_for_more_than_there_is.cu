// mutant: asked for more than there is
// item: histogram_shared leaves bins alone where it says that they do not fit
// diagnosis[sim]: invalid-launch
// diagnosis[cuda]: cuda-error
//
// The mistake: the host did not ask how much shared memory a block may have: attribute and launch both fail.
// Read: the handout, "How much shared memory?".

// GIVEN(histogram_shared)
bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  cudaFuncSetAttribute(histogram_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared_bytes));
  clear(bins, nbins);
  const unsigned blocks = blocks_for(histogram_shared_kernel, n, shared_bytes);
  histogram_shared_kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
  return true;
}
// END GIVEN(histogram_shared)
