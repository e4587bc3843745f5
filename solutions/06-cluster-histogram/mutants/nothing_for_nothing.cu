// mutant: nothing for nothing
// item: histogram_global counts every value in its bin
// diagnosis: bins-not-overwritten
//
// The mistake: without values there is nothing to count, but there are bins to write: they are to be 0.
// Read: the handout, "An atomic for every value".

// GIVEN(histogram_global)
void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  if (n == 0) return;
  clear(bins, nbins);
  const unsigned blocks = blocks_for(histogram_global_kernel, n, 0);
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}
// END GIVEN(histogram_global)
