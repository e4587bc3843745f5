// mutant: small products left out
// item: dot_f32 gives the dot product at any length
// backends: sim
// diagnosis: small-values-lost
//
// The mistake: products near 0 are taken for 0, by comparison with a fixed number. Which products are small, the
// others decide.
// Read: more.md, "How far the sum may be off".

  // TODO(2)
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    if (a[i] * b[i] > T(1e-6) || a[i] * b[i] < T(-1e-6)) sum += a[i] * b[i];
  // END TODO(2)
