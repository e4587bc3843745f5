// mutant: `__shared__` forgotten
// item: accelerations are the sums of all pulls at any n
// diagnosis: tile-not-shared
// backends: sim
//
// The mistake: the tile is a local array: every thread has one of its own, fills one place of it, and reads
// what no thread has written into the others.
// Read: the handout, "Tiles".

  // TODO(2)
  float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
