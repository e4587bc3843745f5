// mutant: tiles of 32 bodies
// item: accelerations reads each body from global memory once a block
// diagnosis: tile-too-small
//
// The mistake: blocks of 32 threads: a body that was fetched serves 32 threads, where it could serve
// hundreds.
// Read: the handout, "Tiles".

// GIVEN(threads_per_block)
constexpr unsigned threads_per_block = 32; // and bodies in a tile
// END GIVEN(threads_per_block)
