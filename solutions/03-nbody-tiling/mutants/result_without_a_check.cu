// mutant: writes behind the array
// item: accelerations are the sums of all pulls at any n
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: the threads without a body of their own write an acceleration all the same.
// Read: the handout, "Threads without a body".

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
  acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}
// END GIVEN(accelerations_kernel)
