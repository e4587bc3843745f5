// mutant: last index not allowed
// item: offset_add_f32 pays at most one more sector per request when misaligned
// diagnosis: tail-skipped
// backends: sim
// todo: 1
//
// The mistake: the thread's number is compared with n - 1, so the last element has no thread.
// Read: the handout, "More threads than elements".

  // TODO(1)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n - 1) a[offset + i] += T{1};
  // END TODO(1)
