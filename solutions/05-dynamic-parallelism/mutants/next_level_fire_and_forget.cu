// mutant: levels without an order
// item: reduce_nested_by_level adds up every part
// diagnosis: next-level-too-early
// backends: sim
//
// The mistake: fire and forget means just that: the grid runs at any time from its launch on, beside the one
// that has launched it.
// Read: more.md, "Four streams for a launch".

  // TODO(5)
  if (i < parts * half) {
    const std::size_t first = i / half * part_size + i % half;
    const int added = element(from, n, first) + element(from, n, first + half);
    if (half == 1)
      sums[i] = added;
    else
      work[first] = added;
  }
  if (i != 0 || half == 1) return;
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamFireAndForget>>>(sums, work, work, parts * part_size, parts,
                                                                   half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
