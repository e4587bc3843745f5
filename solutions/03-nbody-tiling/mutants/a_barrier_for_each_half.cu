// mutant: a tile of two bodies a thread, four barriers
// item: accelerations waits at most twice a tile
// diagnosis: too-many-barriers
// backends: sim
//
// The mistake: every thread fetches two bodies of a tile of 256, and the block waits behind each of the two, and behind
// each half of the inner loop. The halves are no tiles: all are there before the first is used.
// Read: the handout, "Two barriers".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 128; // and bodies in a tile

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
  __shared__ float4 tile[2 * threads_per_block];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (std::size_t first = 0; first < n; first += 2 * threads_per_block) {
    for (unsigned place = threadIdx.x; place < 2 * threads_per_block; place += threads_per_block) {
      tile[place] = first + place < n ? bodies[first + place] : make_float4(0, 0, 0, 0);
      __syncthreads();
    }
    for (unsigned half = 0; half < 2; ++half) {
      for (unsigned k = 0; k < threads_per_block; ++k)
        add_pull(sum, me, tile[half * threads_per_block + k], softening2);
      __syncthreads();
    }
  }
  if (i < n) acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  accelerations_kernel<<<blocks_for(n), threads_per_block>>>(acc, bodies, n, softening * softening);
}
