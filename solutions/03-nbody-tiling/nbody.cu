// Lab 03: N-body with tiles. Complete the TODO regions; README.md beside this file is the handout.
//
//   ./warpbook check 03        grades this file and says what is wrong

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr unsigned threads_per_block = 128; // and bodies in a tile

// Enough blocks for n threads: the division is rounded up.
unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + threads_per_block - 1) / threads_per_block);
}

} // namespace

// ---- accelerations: every body meets every other ---------------------------------------------------------

namespace {

// Adds to `sum` what `other` does to `me`. Both are x, y, z and mass; softening2 is softening * softening.
__device__ void add_pull(float3& sum, float4 me, float4 other, float softening2) {
  // TODO(1): add this pair's term of the sum
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float distance2 = dx * dx + dy * dy + dz * dz + softening2;
  if (distance2 == 0) return; // the body itself, or one at its place, and nothing to soften it
  const float inverse = rsqrtf(distance2);
  const float pull = other.w * inverse * inverse * inverse;
  sum.x += pull * dx;
  sum.y += pull * dy;
  sum.z += pull * dz;
  // END TODO(1)
}

// One thread for one body; all threads of a block go through the same bodies at the same time. Blocks have
// threads_per_block threads, and the last block may have threads without a body.
__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  // TODO(2): let the block fetch the bodies tile by tile into shared memory
  __shared__ float4 tile[threads_per_block];
  for (std::size_t first = 0; first < n; first += threads_per_block) {
    const std::size_t mine = first + threadIdx.x; // the body that this thread fetches for all
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0); // a body without mass changes no sum
    __syncthreads(); // the whole tile is there before any thread reads it
    for (unsigned k = 0; k < threads_per_block; ++k) add_pull(sum, me, tile[k], softening2);
    __syncthreads(); // all threads are done with it before one overwrites it
  }
  // END TODO(2)
  if (i < n) acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

} // namespace

void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return; // a launch of no blocks is an error
  accelerations_kernel<<<blocks_for(n), threads_per_block>>>(acc, bodies, n, softening * softening);
}

// ---- leapfrog_step: half a kick, a drift, half a kick ----------------------------------------------------

namespace {

// One thread for one body: half a kick with the old accelerations, then the drift.
__global__ void kick_and_drift_kernel(float4* bodies, float4* velocities, const float4* acc, std::size_t n,
                                      float dt) {
  // TODO(3): move this thread's body
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += dt / 2 * a.x;
  v.y += dt / 2 * a.y;
  v.z += dt / 2 * a.z;
  velocities[i] = v;
  float4 body = bodies[i];
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  bodies[i] = body;
  // END TODO(3)
}

// One thread for one body: the other half of the kick, with the new accelerations.
__global__ void kick_kernel(float4* velocities, const float4* acc, std::size_t n, float dt) {
  // TODO(4): give this thread's body its second half kick
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  v.x += dt / 2 * a.x;
  v.y += dt / 2 * a.y;
  v.z += dt / 2 * a.z;
  velocities[i] = v;
  // END TODO(4)
}

} // namespace

void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening); // at the positions just written
  kick_kernel<<<blocks_for(n), threads_per_block>>>(velocities, acc, n, dt);
}
