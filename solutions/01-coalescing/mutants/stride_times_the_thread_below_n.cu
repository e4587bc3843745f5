// mutant: only threadIdx is multiplied by the stride, and the element is compared with n
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: stride-of-the-thread-alone
//
// The mistake: a product comes before a sum; and n bounds the number of the thread, not the place of its element.
// Read: the handout, "What a stride costs".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x * stride;
  if (i < n) a[i] += T{1};
  // END TODO(2)
