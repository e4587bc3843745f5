// mutant: one barrier too many
// item: accelerations waits at most twice a tile
// diagnosis: too-many-barriers
//
// The mistake: a third barrier before the fetch, "to be sure": the one behind the loop has done that
// already.
// Read: the handout, "Two barriers".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    __syncthreads();
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
