// mutant: no barrier before the launch
// item: reduce_nested adds up every part
// diagnosis: child-before-barrier
// backends: sim
//
// The mistake: thread 0 launches as soon as it has added its own two elements. The child sees what thread 0
// knew of when it launched: not what the other warps write at the same time.
// Read: the handout, "Which barriers are needed?".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
