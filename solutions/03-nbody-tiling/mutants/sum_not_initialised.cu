// mutant: a sum that begins anywhere
// item: accelerations are the sums of all pulls at any n
// diagnosis[sim]: uninitialised-read
// diagnosis[cuda]: sum-not-initialised
//
// The mistake: the pulls are added to what the output array happened to hold.
// Read: labs/03-nbody-tiling/lab.hpp: acc is written, what it holds before is of no use.

// GIVEN(accelerations_kernel)
__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  __shared__ float4 tile[threads_per_block];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  if (i < n) acc[i] = make_float4(acc[i].x + sum.x, acc[i].y + sum.y, acc[i].z + sum.z, 0);
}
// END GIVEN(accelerations_kernel)
