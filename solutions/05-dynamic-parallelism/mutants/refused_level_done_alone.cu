// mutant: a refused level is done by one thread
// item: reduce_nested_by_level asks whether its launches succeeded
// diagnosis: refused-level-done-alone
// backends: sim
//
// The mistake: a refusal is answered as in TODO(4). The thread cannot know that the other blocks have finished the level.
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
  level_kernel<<<parts_of(parts * (half / 2)), blockDim.x, 0, cudaStreamTailLaunch>>>(
      sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess)
    for (std::size_t k = 0; k < parts; ++k) finish_alone(sums + k, work + k * part_size, half);
  // END TODO(5)
