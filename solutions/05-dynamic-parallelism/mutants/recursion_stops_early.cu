// mutant: the recursion stops early
// item: reduce_nested launches the next half from every block
// diagnosis: too-few-child-grids
//
// The mistake: a block of few threads adds up the rest alone. That saves launches, and is a good idea (a
// teaching step measures it); the task is the whole recursion.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half <= 32) {
    finish_alone(sum, part, half);
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
