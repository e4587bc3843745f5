// mutant: the child gets half of its elements
// item: reduce_nested adds up every part
// diagnosis: child-array-too-short
//
// The mistake: the child grid has half / 2 threads, so the launch says that its array has half / 2 elements.
// It has twice as many: each thread adds two, and the second one is taken for 0.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(4)
