// mutant: whole tiles only
// item: accelerations are the sums of all pulls at any n
// diagnosis: last-tile-left-out
//
// The mistake: n / threads_per_block rounds down, so that the bodies after the last whole tile pull
// no thread.
// Read: the handout, "The last tile".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n / threads_per_block * threads_per_block; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
