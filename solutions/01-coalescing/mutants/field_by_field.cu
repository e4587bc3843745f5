// mutant: field by field
// item: advance_particles reads a particle in pieces of 16 bytes
// diagnosis: field-by-field
//
// The mistake: each member is read where it is used: six requests of 4 bytes a lane, and each asks for all 32 sectors again.
// Read: the handout, "A structure is 32 bytes".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__global__ void advance_kernel(float* x, float* y, float* z, const Particle* particles, std::size_t n,
                               float dt) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = particles[i].x + dt * particles[i].vx;
  y[i] = particles[i].y + dt * particles[i].vy;
  z[i] = particles[i].z + dt * particles[i].vz;
}

} // namespace

void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  advance_kernel<<<blocks, threads_per_block>>>(x, y, z, particles, n, dt);
}
