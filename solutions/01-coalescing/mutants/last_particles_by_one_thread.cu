// mutant: last particles by one thread
// item: advance_particles writes 32 neighbouring floats per request
// diagnosis: tail-one-by-one
// backends: sim
//
// The mistake: the particles behind the last whole block are moved by one thread in a loop.
// Read: the handout, "More threads than elements".

#include <cuda_runtime.h>

namespace {

constexpr unsigned threads_per_block = 256;

__device__ void advance(float* x, float* y, float* z, const Particle* particles, std::size_t i, float dt) {
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 place = halves[0], speed = halves[1];
  x[i] = place.x + dt * speed.x;
  y[i] = place.y + dt * speed.y;
  z[i] = place.z + dt * speed.z;
}

__global__ void whole_blocks_kernel(float* x, float* y, float* z, const Particle* particles, float dt) {
  advance(x, y, z, particles, std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, dt);
}

__global__ void tail_kernel(float* x, float* y, float* z, const Particle* particles, std::size_t n,
                            float dt) {
  for (std::size_t i = n - n % threads_per_block; i < n; ++i) advance(x, y, z, particles, i, dt);
}

} // namespace

void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  const std::size_t blocks = n / threads_per_block;
  if (blocks != 0) whole_blocks_kernel<<<blocks, threads_per_block>>>(x, y, z, particles, dt);
  if (n % threads_per_block != 0) tail_kernel<<<1, 1>>>(x, y, z, particles, n, dt);
}
