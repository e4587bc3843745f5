// mutant: my own body read from shared memory for every pair
// item: accelerations gives each body of a tile to a whole warp at once
// diagnosis: no-broadcast
//
// The mistake: the thread's own body lies in shared memory, too, and is read again for every pair: lanes
// read different words.
// Read: the handout, "Broadcast".

// GIVEN(accelerations_kernel)
__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  __shared__ float4 tile[threads_per_block];
  __shared__ float4 own[threads_per_block];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  own[threadIdx.x] = me;
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, own[threadIdx.x], tile[k], softening2);
    __syncthreads();
  }
  if (i < n) acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}
// END GIVEN(accelerations_kernel)
