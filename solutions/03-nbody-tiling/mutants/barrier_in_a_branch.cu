// mutant: a barrier inside an if
// item: accelerations are the sums of all pulls at any n
// diagnosis: barrier-divergence
// backends: sim
//
// The mistake: the barrier stands in the branch of those who have a body to fetch; the others pass by it.
// Read: the handout, "Threads without a body".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n) {
      tile[threadIdx.x] = bodies[mine];
      __syncthreads();
    } else {
      tile[threadIdx.x] = make_float4(0, 0, 0, 0);
    }
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
