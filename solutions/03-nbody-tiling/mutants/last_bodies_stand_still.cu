// mutant: blocks rounded down
// item: leapfrog_step moves every body by half a kick and a drift
// diagnosis: tail-skipped
//
// The mistake: n / threads_per_block rounds down, so that the last bodies have no thread.
// Read: lab 01's handout, "More threads than elements".

// GIVEN(leapfrog_step)
void leapfrog_step(float4* bodies, float4* velocities, float4* acc, std::size_t n, float dt,
                   float softening) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>(n / threads_per_block);
  if (blocks > 0) kick_and_drift_kernel<<<blocks, threads_per_block>>>(bodies, velocities, acc, n, dt);
  accelerations(acc, bodies, n, softening);
  kick_kernel<<<blocks_for(n), threads_per_block>>>(velocities, acc, n, dt);
}
// END GIVEN(leapfrog_step)
