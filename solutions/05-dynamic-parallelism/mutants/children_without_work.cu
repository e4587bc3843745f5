// mutant: child grids that do nothing
// item: reduce_nested launches the next half from every block
// diagnosis: child-adds-nothing
//
// The mistake: thread 0 of a host's block adds up the whole half alone, and the child grids are launched
// all the same, with nothing to do.
// Read: the handout, "A block launches its next half".

  // TODO(4)
  if (half == part_size / 2) {
    part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
    __syncthreads();
    if (t == 0) finish_alone(sum, part, half);
  }
  if (t != 0 || half == 1) return;
  nested_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sum, part, part, half);
  (void)cudaGetLastError();
  // END TODO(4)
