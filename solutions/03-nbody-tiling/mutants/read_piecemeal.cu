// mutant: the tile read component by component, over and over
// item: accelerations gives each body of a tile to a whole warp at once
// diagnosis: read-piecemeal
//
// The mistake: each use of a component reads it from the tile again.
// Read: the handout, "Broadcast".

// GIVEN(add_pull)
__device__ void add_pull(float3& sum, float4 me, const volatile float* other, float softening2) {
  const float distance2 = (other[0] - me.x) * (other[0] - me.x) + (other[1] - me.y) * (other[1] - me.y) +
                          (other[2] - me.z) * (other[2] - me.z) + softening2;
  if (distance2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other[3] * inverse * inverse * inverse;
  sum.x += pull * (other[0] - me.x);
  sum.y += pull * (other[1] - me.y);
  sum.z += pull * (other[2] - me.z);
}
// END GIVEN(add_pull)

  // TODO(2)
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, &tile[k].x, softening2);
    __syncthreads();
  }
  // END TODO(2)
