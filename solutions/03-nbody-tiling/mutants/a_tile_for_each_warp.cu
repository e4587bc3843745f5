// mutant: each warp fetches a tile of its own
// item: accelerations waits at most twice a tile
// diagnosis: no-barrier
//
// The mistake: the warps of a block share the shared array, and not the bodies in it. No warp has to wait for another one,
// and each body is fetched once for each warp where once for each block is enough.
// Read: the handout, "Two barriers".

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  const unsigned lane = threadIdx.x % 32, place_of_warp = threadIdx.x - lane;
  for (std::size_t first = 0; first < n; first += 32) {
    tile[threadIdx.x] = first + lane < n ? bodies[first + lane] : make_float4(0, 0, 0, 0);
    __syncwarp();
    for (unsigned k = 0; k < 32; ++k) add_pull(sum, me, tile[place_of_warp + k], softening2);
    __syncwarp();
  }
  // END TODO(2)
