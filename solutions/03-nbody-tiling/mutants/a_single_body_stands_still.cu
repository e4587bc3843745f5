// mutant: a single body stands still
// item: leapfrog_step moves every body by half a kick and a drift
// backends: sim
// diagnosis: step-left-out
// todo: 3
//
// The mistake: a body that no other body pulls is left where it is. It drifts with the velocity that it has.
// Read: the handout, "Leapfrog".

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n < 2) return;
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening);
  kick_kernel<<<blocks_for(n), threads_per_block>>>(velocities, acc, n, dt);
}
// END GIVEN(leapfrog_step)
