// mutant: cudaMemcpy with its direction turned round
// item: histogram_global counts every value in its bin
// diagnosis[sim]: unheard-error
// diagnosis[cuda]: cuda-error
//
// The mistake: the zeros of the host are copied with cudaMemcpyDeviceToHost. The call fails, no code looks at what it
// returns, and the atomics add to whatever the array held before.
// Read: the handout, "An atomic for every value".

// GIVEN(histogram_global)
void histogram_global(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  unsigned* zeros = new unsigned[nbins]();
  cudaMemcpy(bins, zeros, nbins * sizeof(unsigned), cudaMemcpyDeviceToHost);
  delete[] zeros;
  const unsigned blocks = blocks_for(histogram_global_kernel, n, 0);
  histogram_global_kernel<<<blocks, threads_per_block>>>(in, n, bins, nbins);
}
// END GIVEN(histogram_global)
