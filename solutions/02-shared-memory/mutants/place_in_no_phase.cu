// mutant: place in no phase
// item: gather_strided reads shared memory without conflicts at every stride
// diagnosis: place-not-used
// backends: sim
//
// The mistake: place() is right, and asks for free words; but elements are brought to and taken from where
//   they would be without.
// Read: the handout, "A stride and its banks".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x) kept[j] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k) out[k * n + first + threadIdx.x] = kept[threadIdx.x * stride + k];
  // END TODO(6)
