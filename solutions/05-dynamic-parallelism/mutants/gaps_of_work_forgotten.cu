// mutant: the next level gets the number of elements in use
// item: reduce_nested_by_level adds up every part
// diagnosis: gaps-forgotten
//
// The mistake: 2 * half elements of each part are still in use, and the launch says that `work` has so
// many per part. But each part still begins 256 elements after the one before, and what lies behind the end
// counts as 0.
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
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * half, parts,
                                                                half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
