// mutant: whole products
// item: dot_f64 gives the dot product at any length
// diagnosis: low-precision
// todo: 2
//
// The mistake: a product is kept in an int before it is added.
// Read: more.md, "How far the sum may be off".

  // TODO(2)
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const int product = a[i] * b[i];
    sum += product;
  }
  // END TODO(2)
