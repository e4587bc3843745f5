// mutant: one thread writes the sums of the last level
// item: reduce_nested_by_level adds up every part
// diagnosis: sums-missing
//
// The mistake: the last level ends as the recursion of reduce_nested does, where thread 0 writes the sum of its
// block's part. But this grid adds up all parts, and each of them has a thread whose sum is ready.
// Read: the handout, "Level by level".

  // TODO(5)
  if (i < parts * half) {
    const std::size_t first = i / half * part_size + i % half;
    work[first] = element(from, n, first) + element(from, n, first + half);
  }
  if (i != 0) return;
  if (half == 1) {
    sums[0] = work[0];
    return;
  }
  level_kernel<<<parts_of(parts * (half / 2)), blockDim.x, 0, cudaStreamTailLaunch>>>(
      sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
