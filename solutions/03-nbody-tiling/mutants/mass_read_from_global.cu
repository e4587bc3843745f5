// mutant: positions from the tile, masses from the array
// item: accelerations reads each body from global memory once a block
// diagnosis: read-more-than-once
//
// The mistake: the mass is read from global memory for every pair; the tile has it as well.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) {
      const float mass = first + k < n ? bodies[first + k].w : 0;
      add_pull(sum, me, make_float4(tile[k].x, tile[k].y, tile[k].z, mass), softening2);
    }
    __syncthreads();
  }
  // END TODO(2)
