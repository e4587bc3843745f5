// mutant: index in 16 bits
// item: offset_add_f32 adds one to n elements from the offset on
// backends: sim
// diagnosis: out-of-bounds
//
// The mistake: a short holds no index beyond 32767. Behind that it goes on at -32768, so that threads work before the array
// begins.
// Read: the handout, "Which element is mine?": the type of an index.

  // TODO(1)
  const short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<long>(n)) a[offset + i] += T{1};
  // END TODO(1)
