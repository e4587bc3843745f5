// mutant: computed in single precision
// item: offset_add_f64 adds one to n elements from the offset on
// diagnosis: single-precision
//
// The mistake: a double goes through a float on its way: 1.0f + float(x) keeps 24 bits of 53.
// Read: the handout, "TODO(1): one thread for each element": f32 and f64 are two functions.

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] = 1.0f + static_cast<float>(a[offset + i]);
  // END TODO(1)
