// mutant: neighbours pair up
// item: dot_f64 reads every byte of both arrays once
// diagnosis: read-again
//
// The mistake: each thread adds its neighbour's product to its own at once, and half of them throw theirs
// away: every element is read twice.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const T pair = a[i] * b[i] + (i + 1 < n ? a[i + 1] * b[i + 1] : 0);
    if (i % 2 == 0) sum += pair;
  }
  // END TODO(2)
