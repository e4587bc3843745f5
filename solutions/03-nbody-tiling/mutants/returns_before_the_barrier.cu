// mutant: threads without a body leave first
// item: accelerations are the sums of all pulls at any n
// diagnosis: uninitialised-read
// backends: sim
//
// The mistake: a thread without a body of its own returns at once. It is missed: no thread fetches its part
// of each tile, and a barrier waits for whole blocks.
// Read: the handout, "Threads without a body".

// GIVEN(accelerations_kernel)
__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  __shared__ float4 tile[threads_per_block];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads();
  }
  acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}
// END GIVEN(accelerations_kernel)
