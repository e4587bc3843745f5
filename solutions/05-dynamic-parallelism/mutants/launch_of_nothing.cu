// mutant: the last level launches, too
// item: reduce_nested launches the next half from every block
// diagnosis: launch-of-nothing
//
// The mistake: the recursion has no end of its own: one thread launches a block of 0 threads, which is
// refused, and what was meant for full queues writes the sum.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
