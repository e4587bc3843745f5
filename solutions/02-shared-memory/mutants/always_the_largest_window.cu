// mutant: always the largest window
// item: stencil sums out of shared memory without conflicts
// diagnosis: window-buffer-too-large
//
// The mistake: every launch asks for all that a block can have. It is right, and leaves room for one block a
//   multiprocessor.
// Read: the handout, "Dynamic shared memory".

  // TODO(3)
  bytes = 227 * 1024;
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  // END TODO(3)
