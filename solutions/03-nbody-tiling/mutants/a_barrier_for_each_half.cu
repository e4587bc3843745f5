// mutant: a tile of two bodies per thread, four barriers
// item: accelerations waits at most twice a tile
// diagnosis: too-many-barriers
// backends: sim
//
// The mistake: every thread fetches two bodies of a tile of 256, and the block waits behind each of the two, and behind
// each half of the inner loop. The halves are no tiles: all are there before the first is used.
// Read: the handout, "Two barriers".

  // TODO(2)
  __shared__ float4 tile[2 * threads_per_block];
  for (std::size_t first = 0; first < n; first += 2 * threads_per_block) {
    for (unsigned place = threadIdx.x; place < 2 * threads_per_block; place += threads_per_block) {
      tile[place] = first + place < n ? bodies[first + place] : make_float4(0, 0, 0, 0);
      __syncthreads();
    }
    for (unsigned half = 0; half < 2; ++half) {
      for (unsigned k = 0; k < threads_per_block; ++k)
        add_pull(sum, me, tile[half * threads_per_block + k], softening2);
      __syncthreads();
    }
  }
  // END TODO(2)
