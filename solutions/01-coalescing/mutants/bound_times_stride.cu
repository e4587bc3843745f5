// mutant: bound times stride
// item: stride_add_f32 adds one to every stride-th element
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: the bound is multiplied by the stride although the thread's number is not.
// Read: the handout, "More threads than elements".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n * stride) a[i * stride] += 1;
  // END TODO(2)
