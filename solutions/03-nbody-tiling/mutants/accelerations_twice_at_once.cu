// mutant: accelerations computed twice at the new positions
// item: leapfrog_step computes the accelerations once
// diagnosis: accelerations-repeated
//
// The mistake: the accelerations at the new positions are computed twice, one after the other: each step takes twice
// the time, and the first result is written over.
// Read: the handout, "Leapfrog".

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  kick_and_drift_kernel<<<blocks_for(n), threads_per_block>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening);
  accelerations(acc, bodies, n, softening);
  kick_kernel<<<blocks_for(n), threads_per_block>>>(velocities, acc, n, dt);
}
// END GIVEN(leapfrog_step)
