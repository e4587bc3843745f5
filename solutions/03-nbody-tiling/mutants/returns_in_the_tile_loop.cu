// mutant: threads without a body to fetch return from the loop
// item: accelerations are the sums of all pulls at any n
// diagnosis: returns-in-the-loop
// todo: 2
//
// The mistake: a thread that has no body to fetch in the last tile returns, and never writes the sum of its own body.
// Read: the handout, "Two barriers".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    if (mine >= n) return;
    tile[threadIdx.x] = bodies[mine];
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
