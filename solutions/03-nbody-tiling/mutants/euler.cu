// mutant: Euler's method
// item: leapfrog_step keeps momentum and energy over many steps
// diagnosis: energy-not-kept
//
// The mistake: positions move with the old velocities and velocities with the old accelerations. Every
// step adds a little energy, and the bodies fly apart.
// Read: the handout, "What a simulation must keep".

  // TODO(3)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = acc[i];
  float4 v = velocities[i];
  float4 body = bodies[i];
  body.x += dt * v.x;
  body.y += dt * v.y;
  body.z += dt * v.z;
  bodies[i] = body;
  v.x += dt * a.x;
  v.y += dt * a.y;
  v.z += dt * a.z;
  velocities[i] = v;
  // END TODO(3)

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening);
}
// END GIVEN(leapfrog_step)
