// mutant: squares of one array
// item: dot_f32 gives the dot product at any length
// diagnosis: not-the-products
// todo: 2
//
// The mistake: a slip of the pen: a[i] * a[i].
// Read: the handout, "TODO(4), TODO(2) and TODO(3): one sum in three parts".

  // TODO(2)
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    sum += a[i] * a[i];
  // END TODO(2)
