// mutant: the answer to the question is not used
// item: reduce_nested_by_level asks whether its launches succeeded
// diagnosis: refused-level-unnoticed
//
// The mistake: cudaGetLastError() is called, and its result is not used. If a level is refused, the sums
// are never written, and the host sees success.
// Read: the handout, "Did it start?".

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
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamTailLaunch>>>(sums, work, work, parts * part_size, parts,
                                                                half / 2);
  cudaGetLastError();
  // END TODO(5)
