// mutant: a thread for every element
// item: dot_f32 takes many threads and gives each of them many products
// diagnosis: thread-for-every-element
//
// The mistake: as many threads as elements, each with one product. All the adding is left to shuffles,
// barriers and atomics.
// Read: the handout, "One thread, many products".

// GIVEN(blocks_for)
unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>(std::max<std::size_t>(1, (n + threads_per_block - 1) / threads_per_block));
}
// END GIVEN(blocks_for)
