// mutant: levels that do nothing
// item: reduce_nested_by_level is a chain of tail launches
// diagnosis: child-adds-nothing
//
// The mistake: at the first level one thread adds up a whole part. The levels after it are launched all the
// same, with nothing to do.
// Read: the handout, "Level by level".

  // TODO(5)
  if (half == part_size / 2 && i < parts) {
    int total = 0;
    for (std::size_t k = 0; k < part_size; ++k) total += element(from, n, i * part_size + k);
    sums[i] = total;
  }
  if (i != 0 || half == 1) return;
  level_kernel<<<parts_of(parts * (half / 2)), blockDim.x, 0, cudaStreamTailLaunch>>>(
      sums, work, work, parts * part_size, parts, half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
  // END TODO(5)
