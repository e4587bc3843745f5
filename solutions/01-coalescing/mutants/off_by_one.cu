// mutant: off by one
// item: offset_add_f64 adds one to n elements from the offset on
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: `i <= n` lets one thread too many work; a[offset + n] is not in the array.
// Read: the handout, "More threads than elements".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i <= n) a[offset + i] += T{1};
  // END TODO(1)
