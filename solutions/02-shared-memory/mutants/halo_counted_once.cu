// mutant: halo counted once
// item: stencil sums all elements within a radius
// diagnosis: window-left
// backends: sim
//
// The mistake: the buffer has room for one halo. There is one on each side.
// Read: the handout, "TODO(2) and TODO(3): a window with a halo".

  // TODO(3)
  bytes = (threads_per_block + radius) * sizeof(float);
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  // END TODO(3)
