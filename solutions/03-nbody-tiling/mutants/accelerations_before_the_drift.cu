// mutant: accelerations at the old positions
// item: leapfrog_step ends with the velocities and accelerations of the new positions
// diagnosis: stale-accelerations
//
// The mistake: the accelerations are computed first, from the positions before the drift; those were
// passed in already.
// Read: the handout, "Leapfrog".

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  accelerations(acc, bodies, n, softening);
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  kick_kernel<<<blocks_for(n), threads_per_block>>>(velocities, acc, n, dt);
}
// END GIVEN(leapfrog_step)
