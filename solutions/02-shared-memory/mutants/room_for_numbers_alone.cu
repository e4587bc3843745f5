// mutant: room for numbers alone
// item: two_arrays reverses rows of numbers and letters of any length
// diagnosis: buffer-left
// backends: sim
//
// The mistake: the launch asks for the numbers' bytes, and the letters are kept behind the end.
// Read: the handout, "Dynamic shared memory".

  // TODO(5)
  bytes = numbers_per_row * sizeof(double);
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  // END TODO(5)
