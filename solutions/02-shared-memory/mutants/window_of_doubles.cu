// mutant: a window of doubles
// item: stencil takes radii whose window is larger than 48 KiB
// diagnosis: asked-too-much
// todo: 3
// backends: sim
//
// The mistake: the elements of the window are taken to have 8 bytes. The largest window is refused then.
// Read: the handout, "Dynamic shared memory".

  // TODO(3)
  bytes = (threads_per_block + 2 * radius) * sizeof(double);
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  // END TODO(3)
