// mutant: skips by number, not by distance
// item: accelerations stay finite without softening and for bodies at one place
// diagnosis: nan-at-distance-zero
//
// The mistake: the body with the same number is skipped; another body at the same place is not.
// Read: labs/03-nbody-tiling/lab.hpp: nor does another one at exactly the same place.

  // TODO(1)
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k)
      if (first + k != i && first + k < n) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  // END TODO(2)
