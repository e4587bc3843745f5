// mutant: what is left is taken for the first half
// item: reduce_nested adds up more parts than launches may be pending
// diagnosis: refused-part-wrong
// backends: sim
//
// The mistake: a launch that is refused is made up for as if it were the first one of its part: 128 elements
// are added up, also where 32 are left, and the others still hold what has been added already.
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
  if (cudaGetLastError() != cudaSuccess) finish_alone(sum, part, part_size / 2);
  // END TODO(4)
