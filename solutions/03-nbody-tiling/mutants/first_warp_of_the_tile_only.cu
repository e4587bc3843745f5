// mutant: inner loop over a warp
// item: accelerations are the sums of all pulls at any n
// diagnosis: tile-partly-used
//
// The mistake: the inner loop goes through 32 places of the tile, as many as a warp has lanes; 128 were
// filled.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < 32; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
