// mutant: one block a multiprocessor
// item: dot_f64 is as fast as one element per step can be
// diagnosis: too-slow
// backends: cuda
//
// The mistake: 132 blocks of 256 threads: an eighth of the threads that a GPU holds at once, each waiting
// for two reads at a time.
// Read: the handout, "One thread, many products".

// GIVEN(blocks_for)
unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>(std::clamp<std::size_t>(n / (8 * threads_per_block), 1, 132));
}
// END GIVEN(blocks_for)
