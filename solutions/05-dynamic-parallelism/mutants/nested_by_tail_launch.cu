// mutant: children as tail launches
// item: reduce_nested launches the next half from every block
// diagnosis: tail-launches-wait
//
// The mistake: tail launches of a grid run one after the other, when all of its blocks have finished. So the
// parts are added up one after the other, which could all run at the same time.
// Read: more.md, "Four streams for a launch".

  // TODO(4)
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  __syncthreads();
  if (t != 0) return;
  if (half == 1) {
    *sum = part[0];
    return;
  }
  nested_kernel<<<1, half / 2, 0, cudaStreamTailLaunch>>>(sum, part, part, half);
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half);
  // END TODO(4)
