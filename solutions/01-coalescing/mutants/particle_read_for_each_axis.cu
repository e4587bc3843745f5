// mutant: particle read for each axis
// item: advance_particles reads a particle in pieces of 16 bytes
// diagnosis: read-more-than-once
//
// The mistake: both halves of the particle are fetched once for every axis; volatile keeps the compiler from mending it.
// Read: the handout, "A structure is 32 bytes": two loads, into variables.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void advance_kernel(float* x, float* y, float* z, const Particle* particles, std::size_t n,
                               float dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const volatile float* p = &particles[i].x;
  float* const moved[] = {x, y, z};
  for (int axis = 0; axis < 3; ++axis) {
    float copy[8];
    for (int k = 0; k < 8; ++k) copy[k] = p[k];
    moved[axis][i] = copy[axis] + dt * copy[4 + axis];
  }
}

} // namespace

void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  advance_kernel<<<blocks, threads_per_block>>>(x, y, z, particles, n, dt);
}
