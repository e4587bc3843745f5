// mutant: stride ignored
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: stride-ignored
//
// The mistake: the stride is an argument, but the kernel never uses it: it works on a[0] to a[n-1].
// Read: the handout, "TODO(2): elements that lie apart".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
  // END TODO(2)
