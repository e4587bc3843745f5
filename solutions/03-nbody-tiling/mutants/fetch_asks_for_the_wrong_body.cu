// mutant: the fetch asks whether the thread has a body of its own
// item: accelerations are the sums of all pulls at any n
// diagnosis: out-of-bounds
// backends: sim
//
// The mistake: the guard of the fetch tests the body that the thread works for, and not the one that it
// fetches: the last tile is read beyond the array's end, and the last block leaves out what its idle
// threads should fetch.
// Read: the handout, "The last tile".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = i < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
