// mutant: one thread adds products
// item: block_dots_f32 has no bank conflicts
// diagnosis: nothing-shared
//
// The mistake: thread 0 adds up all products of its block by itself, straight from the arrays.
// Read: the handout, "A tree in shared memory".

  // TODO(1)
  if (t == 0) {
    float sum = 0;
    for (std::size_t k = i; k < n && k < i + threads_per_block; ++k) sum += a[k] * b[k];
    sums[blockIdx.x] = sum;
  }
  // END TODO(1)
