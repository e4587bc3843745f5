// mutant: the same tile in every turn
// item: accelerations are the sums of all pulls at any n
// diagnosis: same-tile-again
//
// The mistake: each thread fetches the body it works for, in every turn of the loop, so that a block only
// ever meets itself.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = i;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
