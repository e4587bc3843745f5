// mutant: every block writes the sum behind its launch
// item: reduce_nested adds up every part
// diagnosis: used-behind-the-launch
// backends: sim
//
// The mistake: the sum is written at every level, behind the launch, while the child may already change what is read.
// Read: the handout, "Which barriers are needed?".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half > 1) {
    nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
    if (cudaGetLastError() != cudaSuccess) {
      finish_alone(sum, part, half);
      return;
    }
  }
  *sum = part[0];
  // END TODO(4)
