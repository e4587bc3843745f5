// mutant: every fourth body of the tile
// item: accelerations reads each body from global memory once a block
// diagnosis: uncoalesced
// backends: sim
//
// The mistake: each warp fetches every fourth body of the tile, so that no two of its lanes are on neighbouring
// bodies: half of each sector is for another warp.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const unsigned place = threadIdx.x % 32 * (threads_per_block / 32) + threadIdx.x / 32;
    const std::size_t mine = first + place;
    tile[place] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
