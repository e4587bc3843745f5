// mutant: only threadIdx is multiplied by the stride
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: stride-of-the-thread-alone
//
// The mistake: a product comes before a sum, so the blocks lie 256 elements apart, whatever the stride is.
// Read: the handout, "What a stride costs".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x * stride;
  if (i < n * stride) a[i] += T{1};
  // END TODO(2)
