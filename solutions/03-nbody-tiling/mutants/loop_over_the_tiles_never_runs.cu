// mutant: the loop over the tiles has the wrong condition
// item: accelerations are the sums of all pulls at any n
// diagnosis[sim]: bodies-not-read
// diagnosis[cuda]: unsolved
//
// The mistake: the condition of the loop over the tiles is false from the beginning: no thread fetches a body,
// and every sum stays 0.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first + n < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
