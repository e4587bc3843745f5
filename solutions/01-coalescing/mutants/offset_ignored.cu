// mutant: offset ignored
// item: offset_add_f32 adds one to n elements from the offset on
// diagnosis: offset-ignored
//
// The mistake: the offset is an argument, but the kernel never uses it: it works on a[0] to a[n-1].
// Read: the handout, "TODO(1): one thread for each element".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] += T{1};
  // END TODO(1)
