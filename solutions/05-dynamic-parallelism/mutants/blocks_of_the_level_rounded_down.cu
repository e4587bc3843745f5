// mutant: too few blocks for a level
// item: reduce_nested_by_level adds up every part
// diagnosis: blocks-missing
//
// The mistake: half of the blocks for half of the additions, and the division rounds down: an odd number of
// blocks loses one.
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
  if (i != 0 || half == 1) return;
  const unsigned blocks = gridDim.x > 1 ? gridDim.x / 2 : 1;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * part_size, parts,
                                                                half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
