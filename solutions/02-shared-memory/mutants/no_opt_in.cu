// mutant: no opt in
// item: stencil takes radii whose window is larger than 48 KiB
// diagnosis: window-too-large
//
// The mistake: the kernel was never allowed more than 48 KiB, so that the launch with more fails.
// Read: the handout, "More than 48 KiB".

  // TODO(3)
  bytes = (threads_per_block + 2 * radius) * sizeof(float);
  // END TODO(3)
