// Step 0: every thread reads every body.
// fails: accelerations reads each body from global memory once a block: no-tiles
// fails: accelerations gives each body of a tile to a whole warp at once: no-tiles
// fails: accelerations waits at most twice a tile: no-tiles
//
// Idea        one thread for one body, and a loop over all bodies in global memory.
// Bottleneck  instructions other than arithmetic, and the wait for each load. The caches serve the reads: all threads
//             read the same body, one request per warp, so DRAM is idle. n^2 / 32 requests of one sector all the same.
// Counters    n^2 / 32 global load requests of half a sector's 16 useful bytes; no shared memory, no barriers.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

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
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t j = 0; j < n; ++j) add_pull(sum, me, bodies[j], softening2);
  acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  accelerations_kernel<<<blocks_for(n), threads_per_block>>>(acc, bodies, n, softening * softening);
}
