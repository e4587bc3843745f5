// mutant: bytes counted as elements
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: bytes-counted-as-elements
//
// The mistake: cudaMemcpy copies, and gets n in the place of n * sizeof(float).
// Read: the handout, "Head, body and tail".

  // TODO(3)
  cudaMemcpy(out, in, n, cudaMemcpyDeviceToDevice);
  // END TODO(3)
