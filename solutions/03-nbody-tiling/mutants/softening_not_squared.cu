// mutant: a length added to a square
// item: accelerations are the sums of all pulls at any n
// diagnosis: softening-not-squared
//
// The mistake: the softening is passed on as it is and added to the squared distance.
// Read: the handout, "Softening".

// GIVEN(accelerations)
void accelerations(float4* acc, const float4* bodies, std::size_t n, float softening) {
  if (n == 0) return;
  accelerations_kernel<<<blocks_for(n), threads_per_block>>>(acc, bodies, n, softening);
}
// END GIVEN(accelerations)
