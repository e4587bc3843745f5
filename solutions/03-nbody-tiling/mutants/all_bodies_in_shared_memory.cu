// mutant: all bodies in shared memory
// item: accelerations are the sums of all pulls at any n
// diagnosis: out-of-bounds
// backends: sim
//
// The mistake: the tile has room for 2048 bodies, and all of them are fetched at once: there is no loop over tiles.
// With more bodies the block writes beyond its end.
// Read: the handout, "Tiles".

  // TODO(2)
  __shared__ float4 all[2048];
  for (std::size_t j = threadIdx.x; j < n; j += blockDim.x) all[j] = bodies[j];
  __syncthreads();
  for (std::size_t j = 0; j < n; ++j) add_pull(sum, me, all[j], softening2);
  // END TODO(2)
