// mutant: the loop counts bodies, and its bound counts tiles
// item: accelerations are the sums of all pulls at any n
// diagnosis: tiles-left-out
// todo: 2
//
// The mistake: the loop steps from tile to tile in bodies, but ends at the number of tiles: after one turn, or none.
// Read: the handout, "Two barriers".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n / threads_per_block; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
