// mutant: launched only if it fits
// item: histogram_shared leaves bins alone where it says that they do not fit
// diagnosis: claims-too-much
//
// The mistake: where the counters do not fit, no kernel is launched; the answer is true all the same.
// Read: the handout, "How much shared memory?".

// GIVEN(histogram_shared)
bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  clear(bins, nbins);
  if (shared_bytes <= most_shared_bytes()) {
    cudaFuncSetAttribute(histogram_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(shared_bytes));
    const unsigned blocks = blocks_for(histogram_shared_kernel, n, shared_bytes);
    histogram_shared_kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
  }
  return true;
}
// END GIVEN(histogram_shared)
