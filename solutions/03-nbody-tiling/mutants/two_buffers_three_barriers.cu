// mutant: two buffers, three barriers a tile
// item: accelerations waits at most twice a tile
// diagnosis: too-many-barriers
// backends: sim
//
// The mistake: there are two tiles, used in turns, and the block waits three times for each.
// Read: the handout, "Two barriers".

  // TODO(2)
  __shared__ float4 tiles[2][threads_per_block];
  unsigned now = 0;
  for (std::size_t first = 0; first < n; first += threads_per_block, now ^= 1) {
    __syncthreads();
    const std::size_t mine = first + threadIdx.x;
    tiles[now][threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tiles[now][k], softening2);
    __syncthreads();
  }
  // END TODO(2)
