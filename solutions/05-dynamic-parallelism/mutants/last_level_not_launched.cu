// mutant: the last level is not launched
// item: reduce_nested_by_level adds up every part
// diagnosis: sums-not-written
//
// The mistake: the recursion ends one level early, with half == 2: no thread writes the sums.
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
  if (i != 0 || half == 2) return;
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * part_size, parts,
                                                                half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
