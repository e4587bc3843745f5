// mutant: product in an int
// item: stride_add_f32 adds one to every stride-th element
// diagnosis[sim]: index-overflow
// diagnosis[cuda]: cuda-error
//
// The mistake: the place is computed in 64 bits and kept in an int, which is too short for it.
// Read: the handout, "What a stride costs": the product may need more than 32 bits.

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int place = static_cast<int>(i * stride);
  if (i < n) a[place] += T{1};
  // END TODO(2)
