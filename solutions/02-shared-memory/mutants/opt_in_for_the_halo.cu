// mutant: opt in for the halo
// item: stencil sums all elements within a radius
// diagnosis: allowed-too-little
// backends: sim
//
// The mistake: the kernel is allowed the bytes of both halos, and not those between them. Even small windows are
//   refused then. A GPU says no more than that an argument is wrong, and may grant it.
// Read: the handout, "More than 48 KiB".

  // TODO(3)
  bytes = (threads_per_block + 2 * radius) * sizeof(float);
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(2 * radius * sizeof(float)));
  // END TODO(3)
