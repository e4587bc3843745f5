// mutant: the last level launches another one
// item: reduce_nested_by_level adds up every part
// diagnosis: launch-of-nothing
// backends: sim
//
// The mistake: nothing ends the recursion but a launch of no blocks, which is refused, and the program ends with an
// error although all sums are there.
// Read: the handout, "Level by level".

  // TODO(5)
  if (i < parts * half) {
    const std::size_t first = i / half * part_size + i % half;
    const int added = element(from, n, first) + element(from, n, first + half);
    if (half == 1)
      sums[i] = added;
    else
      work[first] = added;
  }
  if (i != 0) return;
  level_kernel<<<parts_of(parts * (half / 2)), blockDim.x, 0, cudaStreamTailLaunch>>>(
      sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess)
    __trap();
  // END TODO(5)
