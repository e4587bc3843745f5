// mutant: a small softening of one's own
// item: accelerations stay finite without softening and for bodies at one place
// diagnosis: softening-invented
//
// The mistake: one thousandth is added to the squared distance against division by zero. It changes the
// pull of close bodies that the contract wants exact.
// Read: the handout, "Softening".

// GIVEN(accelerations)
void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  accelerations_kernel<<<blocks_for(n), threads_per_block>>>(acc, bodies, n, softening * softening + 0.001F);
}
// END GIVEN(accelerations)
