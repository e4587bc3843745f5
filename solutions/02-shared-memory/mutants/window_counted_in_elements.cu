// mutant: window counted in elements
// item: stencil sums all elements within a radius
// diagnosis: window-left
// backends: sim
//
// The mistake: the launch is given the number of elements; it asks for bytes. A GPU rounds the memory up,
//   and may not notice.
// Read: the handout, "Dynamic shared memory".

  // TODO(3)
  bytes = threads_per_block + 2 * radius;
  cudaFuncSetAttribute(stencil_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  // END TODO(3)
