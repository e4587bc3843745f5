// mutant: every fourth body, component by component
// item: accelerations reads each body from global memory once a block
// diagnosis: uncoalesced
// backends: sim
//
// The mistake: a warp fetches every fourth body of the tile, one component after the other: each component of each body
// is in a sector of its own. Neighbouring bodies would share sectors, whatever is read of them.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const unsigned place = threadIdx.x % 32 * (threads_per_block / 32) + threadIdx.x / 32;
    const std::size_t mine = first + place;
    if (mine < n) {
      tile[place].x = bodies[mine].x;
      tile[place].y = bodies[mine].y;
      tile[place].z = bodies[mine].z;
      tile[place].w = bodies[mine].w;
    } else {
      tile[place] = make_float4(0, 0, 0, 0);
    }
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
