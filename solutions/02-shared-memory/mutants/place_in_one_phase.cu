// mutant: place in one phase
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: place-forgotten
// backends: sim
//
// The mistake: words are brought to their places, and taken out from where they would be without gaps.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k) out[k * n + first + threadIdx.x] = kept[threadIdx.x * stride + k];
  // END TODO(6)
