// mutant: every level has as many blocks as the first
// item: reduce_nested_by_level is a chain of tail launches
// diagnosis: levels-do-not-shrink
//
// The mistake: each level launches the next one with its own number of blocks. Of the last level's threads,
// one in 128 has an addition.
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
  level_kernel<<<gridDim.x, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * part_size, parts,
                                                                   half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
