// mutant: stride in the bound
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: stride-in-bound
//
// The mistake: the element's number, and not the thread's, is compared with n, so only n / stride elements are changed.
// Read: the handout, "What a stride costs": n counts the elements that change.

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t element = i * stride;
  if (element < n) a[element] += 1;
  // END TODO(2)
