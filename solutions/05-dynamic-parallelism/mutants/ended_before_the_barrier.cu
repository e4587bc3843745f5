// mutant: all threads but one end before the barrier
// item: reduce_nested waits only before it launches
// diagnosis: ended-before-the-barrier
// backends: sim
//
// The mistake: thread 0 alone comes to the barrier, which does not wait for threads that have ended. It orders nothing
// that they wrote.
// Read: the handout, "Which barriers are needed?".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  if (t != 0) return;
  __syncthreads();
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
