// mutant: no thread asks whether the launch succeeded
// item: reduce_nested asks whether its launches succeeded
// diagnosis: launch-not-checked
//
// The mistake: a launch has no result. If it is refused, the child's work is not done, and nothing reports
// it.
// Read: the handout, "Did it start?".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  // END TODO(4)
