// mutant: one thread fetches the whole tile
// item: accelerations reads each body from global memory once a block
// diagnosis: uncoalesced
//
// The mistake: thread 0 fetches all bodies of the tile, one after the other, and the others wait for it.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    if (threadIdx.x == 0) {
      for (unsigned k = 0; k < threads_per_block; ++k)
        tile[k] = first + k < n ? bodies[first + k] : make_float4(0, 0, 0, 0);
    }
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
