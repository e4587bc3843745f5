// mutant: every block launches the next level
// item: reduce_nested_by_level adds up every part
// diagnosis[sim]: too-many-child-grids
// diagnosis[cuda]: wrong-result
//
// The mistake: thread 0 of every block launches the next level, for all parts. The tail launches wait for
// their parent and for each other: each is a whole level, and is done once for each block.
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
  if (threadIdx.x != 0 || half == 1) return;
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * part_size, parts,
                                                                half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
