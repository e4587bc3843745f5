// mutant: no barrier before the next fetch
// item: accelerations are the sums of all pulls at any n
// diagnosis: shared-race
// backends: sim
//
// The mistake: fast threads overwrite the tile with the next one while slow threads still read it.
// Read: the handout, "Two barriers".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
  }
  // END TODO(2)
