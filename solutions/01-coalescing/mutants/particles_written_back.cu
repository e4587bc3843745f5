// mutant: particles written back
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: input-modified
//
// The mistake: the new position is also stored in the particles, which are an input.
// Read: labs/01-coalescing/lab.hpp: particles are read only.

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void advance_kernel(float* x, float* y, float* z, Particle* particles, std::size_t n, float dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle& p = particles[i];
  x[i] = p.x += dt * p.vx;
  y[i] = p.y += dt * p.vy;
  z[i] = p.z += dt * p.vz;
}

} // namespace

void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  advance_kernel<<<blocks, threads_per_block>>>(x, y, z, const_cast<Particle*>(particles), n, dt);
}
