// mutant: all shared memory of the multiprocessor
// item: stencil sums all elements within a radius
// diagnosis: attribute-refused
// backends: sim
//
// The mistake: the kernel is to have as much as a multiprocessor has, which is more than a block may have: the call fails.
// Read: the handout, "TODO(2) and TODO(3): a window with a halo".

  // TODO(3)
  bytes = (threads_per_block + 2 * radius) * sizeof(float);
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024);
  // END TODO(3)
