// mutant: array scanned
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: array-scanned
//
// The mistake: each thread looks at one element of the array and asks whether it is one of ours; there are only as many
// threads as elements to change.
// Read: the handout, "What a stride costs".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n * stride && i % stride == 0) a[i] += 1;
  // END TODO(2)
