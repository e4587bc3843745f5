// mutant: padding that pulls a little
// item: accelerations are the sums of all pulls at any n
// backends: sim
// diagnosis: padding-pulls
//
// The mistake: places without a body get a tiny mass instead of 0. Roundings hide what it does, but not to a body that
// is alone.
// Read: the handout, "The last tile".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 1e-20f);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
