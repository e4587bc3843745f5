// mutant: launch of no blocks
// item: histogram_global counts every value in its bin
// diagnosis[sim]: grid-of-no-blocks
// diagnosis[cuda]: cuda-error
//
// The mistake: with n = 0 the grid has no blocks, and such a launch is an error.
// Read: the handout, "An atomic for every value".

// GIVEN(histogram_global)
void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  clear(bins, nbins);
  const auto blocks = static_cast<unsigned>((n + threads_per_block - 1) / threads_per_block);
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}
// END GIVEN(histogram_global)
