// mutant: sixteen blocks
// item: dot_f32 takes many threads and gives each of them many products
// diagnosis: too-few-threads
//
// The mistake: sixteen blocks of 256 threads go through the whole array. Of 132 multiprocessors 116 have
// nothing to do.
// Read: the handout, "One thread, many products".

// GIVEN(blocks_for)
unsigned blocks_for(std::size_t n) { return n < 100000 ? 1 : 16; }
// END GIVEN(blocks_for)
