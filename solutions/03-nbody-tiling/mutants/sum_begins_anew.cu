// mutant: a sum for each tile
// item: accelerations are the sums of all pulls at any n
// diagnosis: last-tile-only
//
// The mistake: the sum is set to zero at the beginning of each tile, so that only the last tile is left
// of it.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    sum = make_float3(0, 0, 0);
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
