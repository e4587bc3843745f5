// mutant: the parts are moved together
// item: reduce_nested_by_level adds up every part
// diagnosis: level-index
// backends: sim
//
// The mistake: 2 * half elements of a part are left, so the next part is expected right behind them. But
// it was not moved: each part still begins part_size elements after the one before.
// Read: the handout, "Level by level".

  // TODO(5)
  if (i < parts * half) {
    const std::size_t first = i / half * 2 * half + i % half;
    const int added = element(from, n, first) + element(from, n, first + half);
    if (half == 1)
      sums[i] = added;
    else
      work[first] = added;
  }
  if (i != 0 || half == 1) return;
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * part_size, parts,
                                                                half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
