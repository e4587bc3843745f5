// mutant: a refused launch is given up
// item: reduce_nested adds up more parts than launches may be pending
// diagnosis: launches-refused
//
// The mistake: the error is asked for, and then nothing is done about it: the part has no sum.
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
  if (cudaGetLastError() != cudaSuccess) return; // the queue is full
  // END TODO(4)
