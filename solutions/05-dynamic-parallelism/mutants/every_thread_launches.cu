// mutant: every thread launches
// item: reduce_nested adds up every part
// diagnosis: too-many-child-grids
// backends: sim
//
// The mistake: a launch is a statement like any other: each of the 128 threads makes it, and 128 child grids
// work on the same half at the same time.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
