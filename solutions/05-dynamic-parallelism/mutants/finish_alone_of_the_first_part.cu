// mutant: every block that is refused adds up the first part
// item: reduce_nested adds up more parts than launches may be pending
// diagnosis: part-of-another-block
// backends: sim
//
// The mistake: finish_alone gets the arrays as they came, and not this block's sum and part.
// Read: the handout, "At most 2,048 launches pending".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sums, work, half);
  // END TODO(4)
