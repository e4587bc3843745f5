// mutant: a refused part is added up wrongly
// item: reduce_nested adds up more parts than launches may be pending
// diagnosis: refused-part-wrong
//
// The mistake: the thread that was refused adds up as many elements as the child would have had threads. But
// the child adds two elements per thread.
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
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, half / 2);
  // END TODO(4)
