// mutant: rows in elements not bytes
// item: two_arrays takes rows of more than 48 KiB
// diagnosis: small-first
// backends: sim
//
// The mistake: the size of the buffer counts the elements of a row, and a double has 8 bytes. Rows of
//   every size are too large for it.
// Read: the handout, "Dynamic shared memory".

  // TODO(5)
  bytes = numbers_per_row + letters_per_row;
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  // END TODO(5)
