// mutant: vectors from the start
// item: copy_vectorized copies n floats from any address to any address
// diagnosis[sim]: misaligned-access
// diagnosis[cuda]: cuda-error
//
// The mistake: float4s are read from wherever the array begins; a multiple of 4 bytes is not a multiple of 16.
// Read: the handout, "Sixteen bytes per access".

  // TODO(3)
  copy<float4>(out, in, n / 4);
  copy<float>(out + n / 4 * 4, in + n / 4 * 4, n % 4);
  // END TODO(3)
