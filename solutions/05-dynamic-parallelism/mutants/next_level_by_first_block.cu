// mutant: the first block launches the next level
// item: reduce_nested_by_level adds up every part
// diagnosis: next-level-too-early
// backends: sim
//
// The mistake: as a well-known book has it: block 0 launches the next level as soon as it is done itself. The
// other blocks may still be adding, or may not even have begun.
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
  __syncthreads();
  if (i != 0 || half == 1) return;
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, nullptr>>>(sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
