// mutant: blocks of 100 threads
// item: offset_add_f32 pays at most one more sector per request when misaligned
// diagnosis: block-not-whole-warps
// backends: sim
//
// The mistake: 100 threads are no whole warps, so that the warps of most blocks begin off a boundary.
// Read: the handout, "What a warp asks for".

// GIVEN(threads_per_block)
constexpr unsigned threads_per_block = 100;
// END GIVEN(threads_per_block)
