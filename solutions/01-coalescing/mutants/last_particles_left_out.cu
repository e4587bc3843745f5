// mutant: last particles left out
// item: advance_particles moves every particle by dt times its velocity
// diagnosis: tail-skipped
//
// The mistake: n / threads_per_block rounds down; the last particles have no thread.
// Read: the handout, "More threads than elements".

  // TODO(4)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4* halves = reinterpret_cast<const float4*>(particles + i);
  const float4 p = halves[0], v = halves[1];
  x[i] = p.x + dt * v.x;
  y[i] = p.y + dt * v.y;
  z[i] = p.z + dt * v.z;
  // END TODO(4)

// GIVEN(advance_particles)
void advance_particles(float* x, float* y, float* z, const Particle* particles, std::size_t n, float dt) {
  const std::size_t blocks = n / threads_per_block;
  if (blocks == 0) return;
  advance_particles_kernel<<<blocks, threads_per_block>>>(x, y, z, particles, n, dt);
}
// END GIVEN(advance_particles)
