// mutant: work passed on for the part
// item: reduce_nested adds up every part
// diagnosis: child-in-another-part
// backends: sim
//
// The mistake: the child grids of all blocks get the beginning of `work`, which is the part of block 0.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads(); // the child sees what thread 0 knows of, which is now the work of the whole block
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, work, work, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
