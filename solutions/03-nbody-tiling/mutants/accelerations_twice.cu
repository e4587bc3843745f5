// mutant: accelerations computed twice a step
// item: leapfrog_step computes the accelerations once
// diagnosis: accelerations-repeated
//
// The mistake: the accelerations at the old positions are computed again, although they were passed in:
// each step takes twice the time.
// Read: the handout, "Leapfrog".

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  accelerations(acc, bodies, n, softening);
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening);
  kick_kernel<<<blocks_for(n), threads_per_block>>>(velocities, acc, n, dt);
}
// END GIVEN(leapfrog_step)
