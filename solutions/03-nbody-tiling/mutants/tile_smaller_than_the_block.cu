// mutant: a tile of 32 places for 128 threads
// item: accelerations are the sums of all pulls at any n
// diagnosis: out-of-bounds
// backends: sim
//
// The mistake: the tile has one place for each lane of a warp; a block of 128 threads fetches 128 bodies.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[32];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
