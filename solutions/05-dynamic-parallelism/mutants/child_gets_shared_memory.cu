// mutant: a child gets shared memory
// item: reduce_nested adds up every part
// diagnosis: private-pointer-to-child
// backends: sim
//
// The mistake: the sums are made in shared memory, and its address goes to the child. Shared memory is the
// block's own: what a child is to see must lie in global memory.
// Read: the handout, "Which barriers are needed?".

  // TODO(4)
  __shared__ int half_sums[part_size / 2];
  half_sums[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = half_sums[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, half_sums, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, half_sums, half);
  // END TODO(4)
