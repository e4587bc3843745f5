// mutant: one tile
// item: accelerations are the sums of all pulls at any n
// diagnosis: own-tile-only
//
// The mistake: the block fetches its own bodies, and there is no loop over the others.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  {
    tile[threadIdx.x] = me;
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
