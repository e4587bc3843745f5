// mutant: no body goes back in time
// item: leapfrog_step moves every body by half a kick and a drift
// backends: sim
// diagnosis: step-left-out
// todo: 3
//
// The mistake: a step with a negative dt is left out. The formulas hold for it as they are.
// Read: labs/03-nbody-tiling/lab.hpp: dt may be negative.

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0 || dt <= 0) return;
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening);
  kick_kernel<<<blocks_for(n), threads_per_block>>>(velocities, acc, n, dt);
}
// END GIVEN(leapfrog_step)
