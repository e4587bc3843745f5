// mutant: a barrier after the launch
// item: reduce_nested waits only before it launches
// diagnosis: barrier-not-needed
//
// The mistake: the barrier behind the launch is left over from code that waited for the child there. No
// thread reads anything after it, and it does not wait for the child.
// Read: the handout, "Which barriers are needed?".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t == 0 && half == 1) *sum = part[0];
  if (t == 0 && half > 1) {
    nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
    if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  }
  __syncthreads();
  // END TODO(4)
