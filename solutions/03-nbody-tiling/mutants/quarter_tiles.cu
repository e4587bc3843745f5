// mutant: tiles of 32 bodies for 128 threads
// item: accelerations waits at most twice a tile
// diagnosis: tile-too-small
//
// The mistake: a warp fetches for four, and the block waits four times as often as it would for a tile that
// all threads fill.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 tile[32];
  for (std::size_t first = 0; first < n; first += 32) {
    if (threadIdx.x < 32)
      tile[threadIdx.x] = first + threadIdx.x < n ? bodies[first + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < 32; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
