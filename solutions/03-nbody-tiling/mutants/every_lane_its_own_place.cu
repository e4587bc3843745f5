// mutant: lanes begin at different places of the tile
// item: accelerations gives each body of a tile to a whole warp at once
// diagnosis: no-broadcast
//
// The mistake: each thread starts at its own place "to avoid bank conflicts". Reading the same word is no
// conflict: it is the cheapest read there is.
// Read: the handout, "Broadcast".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k)
      add_pull(sum, me, tile[(k + threadIdx.x) % threads_per_block], softening2);
    __syncthreads();
  }
  // END TODO(2)
