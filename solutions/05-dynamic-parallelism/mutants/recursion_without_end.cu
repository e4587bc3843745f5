// mutant: the recursion has no end
// item: reduce_nested adds up every part
// diagnosis: recursion-without-end
// backends: sim
//
// The mistake: the sum is written at half == 1, and then the launch is made all the same, rounded up so that
// there is a thread for it: a child grid for the half that it has just added up.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) *sum = part[0];
  nested_kernel<<<1, (half + 1) / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
