// mutant: cleared after counting
// item: histogram_global counts every value in its bin
// diagnosis[sim]: cleared-after-counting
// diagnosis[cuda]: nothing-counted
//
// The mistake: the bins are set to zero once the kernel has counted, and not before.
// Read: the handout, "An atomic for every value".

// GIVEN(histogram_global)
void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  const unsigned blocks = blocks_for(histogram_global_kernel, n, 0);
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
  clear(bins, nbins);
}
// END GIVEN(histogram_global)
