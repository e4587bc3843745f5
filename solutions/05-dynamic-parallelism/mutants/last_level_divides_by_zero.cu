// mutant: the last level divides by zero
// item: reduce_nested_by_level adds up every part
// diagnosis: launch-of-nothing
// backends: sim
//
// The mistake: nothing tests that half is larger than 1: the last level launches one more, with half = 0.
// Read: the handout, "Level by level".

  // TODO(5)
  const std::size_t part = i / half, first = part * part_size + i % half;
  if (part < parts) {
    const int added = element(from, n, first) + element(from, n, first + half);
    if (half == 1)
      sums[part] = added;
    else
      work[first] = added;
  }
  if (i != 0) return;
  level_kernel<<<parts_of(parts * half), blockDim.x, 0, cudaStreamTailLaunch>>>(
      sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess)
    __trap();
  // END TODO(5)
