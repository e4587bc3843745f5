// mutant: places without a body are left as they were
// item: accelerations are the sums of all pulls at any n
// diagnosis: tail-not-padded
//
// The mistake: where no body is left nothing is written into the last tile, so that bodies of the tile
// before pull again.
// Read: the handout, "The last tile".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n) tile[threadIdx.x] = bodies[mine];
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
