// mutant: the last body as padding
// item: accelerations are the sums of all pulls at any n
// diagnosis: tail-not-padded
//
// The mistake: the index is held at n - 1, which keeps the read inside the array; but the last body then
// fills the rest of the tile.
// Read: the handout, "The last tile".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x < n ? first + threadIdx.x : n - 1;
    tile[threadIdx.x] = bodies[mine];
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
