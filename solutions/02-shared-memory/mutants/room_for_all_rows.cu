// mutant: room for all rows
// item: two_arrays takes rows of more than 48 KiB
// diagnosis: asked-too-much
// todo: 5
// backends: sim
//
// The mistake: the launch asks for the bytes of all rows. A block has one row at a time in its buffer.
// Read: the handout, "TODO(4) and TODO(5): two arrays in one buffer".

  // TODO(5)
  bytes = rows * (numbers_per_row * sizeof(double) + letters_per_row);
  cudaFuncSetAttribute(two_arrays_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  // END TODO(5)
