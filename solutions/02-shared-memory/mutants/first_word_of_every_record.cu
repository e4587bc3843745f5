// mutant: first word of every record
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: first-word-only
//
// The mistake: the number of the word is left out of the place, so that all arrays get the records' first
//   word.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride, stride)];
  // END TODO(6)
