// Step 1: tiles in shared memory.
//
// Idea        a block fetches 256 bodies with one coalesced read per thread; all threads go through them in shared memory.
// Bottleneck  instructions: each pair takes 13 for its arithmetic; the others count the loop, test for distance zero and
//             handle denormal numbers in the root.
// Counters    n / 256 global loads per body, 16 sectors per request; shared loads broadcast: 2 wavefronts for 16 bytes; 2 barriers per tile.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256; // and bodies in a tile

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + threads_per_block - 1) / threads_per_block);
}

// Adds to `sum` what `other` does to `me`. Both are x, y, z and mass.
__device__ void add_pull(float3& sum, float4 me, float4 other, float softening2) {
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0) return;
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
}

__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  __shared__ float4 tile[threads_per_block];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);
    __syncthreads(); // the whole tile is there
#pragma unroll 1     // so that step 2 can show what unrolling brings
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads(); // no thread reads it any more
  }
  if (i < n) acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  accelerations_kernel<<<blocks_for(n), threads_per_block>>>(acc, bodies, n, softening * softening);
}
