// mutant: all bodies in shared memory
// item: accelerations are the sums of all pulls at any n
// diagnosis: out-of-bounds
// backends: sim
//
// The mistake: the tile has room for 2048 bodies, and all of them are fetched at once: there is no loop over tiles.
// With more bodies the block writes beyond its end.
// Read: the handout, "Tiles".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 128;

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + threads_per_block - 1) / threads_per_block);
}

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
  __shared__ float4 all[2048];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t j = threadIdx.x; j < n; j += blockDim.x) all[j] = bodies[j];
  __syncthreads();
  for (std::size_t j = 0; j < n; ++j) add_pull(sum, me, all[j], softening2);
  if (i < n) acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  accelerations_kernel<<<blocks_for(n), threads_per_block>>>(acc, bodies, n, softening * softening);
}
