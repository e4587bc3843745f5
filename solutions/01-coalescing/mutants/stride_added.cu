// mutant: stride added
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: stride-added
//
// The mistake: the stride is taken for an offset and added to the thread's number.
// Read: the handout, "TODO(2): elements that lie apart".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[stride + i] += T{1};
  // END TODO(2)
