// mutant: the child reads the input
// item: reduce_nested adds up every part
// diagnosis: levels-not-handed-on
//
// The mistake: the child is given `from` as its parent was, and adds up elements of the input. No thread reads
// what the parent has written to its part.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, from, n);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
