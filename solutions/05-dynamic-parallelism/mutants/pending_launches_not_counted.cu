// mutant: more launches than may be pending
// item: reduce_nested adds up more parts than launches may be pending
// diagnosis: launches-refused
//
// The mistake: as many launches are pending as there are parts. From the 2,049th on they are refused, and as
// no thread asks, their parts have no sums.
// Read: the handout, "At most 2,048 launches pending".

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
