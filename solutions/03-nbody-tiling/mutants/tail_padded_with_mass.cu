// mutant: padding that pulls
// item: accelerations are the sums of all pulls at any n
// diagnosis: tail-not-padded
//
// The mistake: places without a body get one at the origin with mass 1 instead of 0.
// Read: the handout, "The last tile".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 1);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
