// mutant: every thread reads everything
// item: accelerations reads each body from global memory once a block
// diagnosis: no-tiles
//
// The mistake: every thread goes through all bodies in global memory, as the starter does: n^2 reads for
// n bodies.
// Read: the handout, "Tiles".

// GIVEN(accelerations_kernel)
__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t j = 0; j < n; ++j) add_pull(sum, me, bodies[j], softening2);
  acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}
// END GIVEN(accelerations_kernel)
