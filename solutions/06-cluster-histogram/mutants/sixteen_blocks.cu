// mutant: sixteen blocks
// item: histogram_shared counts 2048 bins as fast as 4-byte loads can be
// diagnosis: too-slow
// backends: cuda
//
// The mistake: 16 blocks, as a CPU would get 16 threads. The counts are right, and most multiprocessors have
// nothing to do.
// Read: the handout, "An atomic for every value".

// GIVEN(histogram_shared)
bool histogram_shared(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const std::size_t shared_bytes = nbins * sizeof(unsigned);
  if (shared_bytes > most_shared_bytes()) return false;
  cudaFuncSetAttribute(histogram_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared_bytes));
  clear(bins, nbins);
  const unsigned blocks = 16;
  histogram_shared_kernel<<<blocks, threads_per_block, shared_bytes>>>(in, n, bins, nbins);
  return true;
}
// END GIVEN(histogram_shared)
