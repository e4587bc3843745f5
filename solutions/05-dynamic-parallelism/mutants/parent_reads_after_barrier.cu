// mutant: the parent reads its child's result
// item: reduce_nested adds up every part
// diagnosis: global-race
// backends: sim
//
// The mistake: code for CUDA 11 and before waited for the child with cudaDeviceSynchronize() and went on with
// its result. Without that call nothing waits: a barrier is for the threads of the block, and no child is
// among them.
// Read: more.md, "What older books say".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (half > 1 && t == 0) {
    nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
    if (cudaGetLastError() != cudaSuccess) finish_alone(part, part, half);
  }
  __syncthreads();
  if (t == 0) *sum = part[0];
  // END TODO(4)
