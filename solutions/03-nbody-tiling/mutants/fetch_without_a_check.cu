// mutant: reads behind the array
// item: accelerations are the sums of all pulls at any n
// diagnosis: out-of-bounds
// backends: sim
//
// The mistake: the threads that fetch the last tile do not ask whether their body exists.
// Read: the handout, "The last tile".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = bodies[mine];
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
