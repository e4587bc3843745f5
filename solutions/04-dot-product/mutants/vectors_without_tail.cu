// mutant: vectors without a tail
// item: dot_f32 gives the dot product at any length
// diagnosis: tail-left-out
// todo: 2
//
// The mistake: n / 4 whole vectors are read, and the last n % 4 elements by no thread.
// Read: the handout, "One thread, many products".

  // TODO(2)
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n / 4; i += step) {
    for (unsigned k = 0; k < 4; ++k) sum += a[4 * i + k] * b[4 * i + k];
  }
  // END TODO(2)
