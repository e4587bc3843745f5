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
  // d = position of other - position of me; add mass * d / (|d|^2 + softening2)^(3/2) to sum.x, sum.y and sum.z.
  // rsqrtf(x) is 1 / sqrt(x). Where |d|^2 + softening2 is 0 there is nothing to add.
  // END TODO(1)
}

// One thread for one body; all threads of a block go through the same bodies at the same time. Blocks have
// threads_per_block threads, and the last block may have threads without a body.
__global__ void accelerations_kernel(float4* acc, const float4* bodies, std::size_t n, float softening2) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  // TODO(2): let the block fetch the bodies tile by tile into shared memory
  // This is right, but every thread reads every body from global memory for itself. Instead: in steps of
  // threads_per_block bodies, each thread fetches one body into a shared array, and all threads go through the
  // array. Where must the block wait? And what does a thread fetch where no body is left?
  for (std::size_t j = 0; j < n; ++j) add_pull(sum, me, bodies[j], softening2);
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
  // Body i, if there is one: add dt / 2 times its acceleration to its velocity, and keep that; then add dt times
  // the new velocity to its position. The fourth components stay as they are.
  // END TODO(3)
}

// One thread for one body: the other half of the kick, with the new accelerations.
__global__ void kick_kernel(float4* velocities, const float4* acc, std::size_t n, float dt) {
  // TODO(4): give this thread's body its second half kick
  // Velocity i, if there is one: add dt / 2 times the acceleration.
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
