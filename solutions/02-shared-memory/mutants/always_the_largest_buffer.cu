// mutant: always the largest buffer
// item: two_arrays keeps both arrays of a row in one buffer at once
// diagnosis: buffer-too-large
//
// The mistake: every launch asks for as much as the longest row needs. It is right, and leaves room for
//   one block a multiprocessor.
// Read: the handout, "Dynamic shared memory".

  // TODO(5)
  bytes = most_row_bytes;
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  // END TODO(5)
