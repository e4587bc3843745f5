// mutant: something is written after the launch
// item: reduce_nested adds up every part
// diagnosis: global-race
// backends: sim
//
// The mistake: thread 0 tidies up the half that it thinks is no longer needed, after the launch. It is the
// half that the child reads, and the child may run at any time from its launch on.
// Read: the handout, "Which barriers are needed?".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  for (unsigned i = half / 2; i < half; ++i) part[i] = 0;
  // END TODO(4)
