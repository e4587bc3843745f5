// mutant: blocks of 1000 threads
// item: offset_add_f32 touches no sector twice when aligned
// diagnosis: block-not-whole-warps
// backends: sim
//
// The mistake: 1000 threads are 31 warps and a quarter; the last warp of every block has 8 lanes at work.
// Read: the handout, "What a warp asks for".

// GIVEN(threads_per_block)
constexpr unsigned threads_per_block = 1000;
// END GIVEN(threads_per_block)
