// mutant: a tile is filled, and no thread reads it
// item: accelerations reads each body from global memory once a block
// diagnosis: tile-not-used
//
// The mistake: the inner loop still takes its bodies from global memory, as the starter's loop does. The barriers and the
// tile cost their time, and nothing is won.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block && first + k < n; ++k) add_pull(sum, me, bodies[first + k], softening2);
    __syncthreads();
  }
  // END TODO(2)
