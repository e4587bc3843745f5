// mutant: opt in for the usual size
// item: stencil takes radii whose window is larger than 48 KiB
// diagnosis: window-too-large
//
// The mistake: the kernel is allowed 64 KiB once and for all. A larger window is refused as before.
// Read: the handout, "More than 48 KiB".

  // TODO(3)
  bytes = (threads_per_block + 2 * radius) * sizeof(float);
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  // END TODO(3)
