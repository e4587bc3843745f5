// mutant: one warp for everything
// item: histogram_global reads every value once and coalesced
// diagnosis: one-block-counts
//
// The mistake: a single warp goes through all values, and nearly all multiprocessors have nothing to do.
// Read: the handout, "An atomic for every value".

// GIVEN(histogram_global)
void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  histogram_global_kernel<<<1, 32>>>(in, n, bins, nbins);
}
// END GIVEN(histogram_global)
