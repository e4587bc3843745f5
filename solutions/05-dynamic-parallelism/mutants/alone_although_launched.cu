// mutant: alone although launched
// item: reduce_nested adds up every part
// diagnosis: alone-although-launched
// backends: sim
//
// The mistake: the test of the launch is the wrong way round, so that a block adds up its part while its child does.
// Read: the handout, "Did it start?".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads(); // the child sees what thread 0 knows of, which is now the work of the whole block
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() == cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
