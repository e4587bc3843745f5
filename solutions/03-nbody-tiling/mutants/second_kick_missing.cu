// mutant: one half kick only
// item: leapfrog_step ends with the velocities and accelerations of the new positions
// diagnosis: second-kick-missing
//
// The mistake: the step ends with the accelerations; the second half of the kick is never given.
// Read: the handout, "Leapfrog".

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening);
}
// END GIVEN(leapfrog_step)
