// mutant: every block to the beginning
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: index-of-out
// backends: sim
//
// The mistake: every block writes to the beginning of the arrays, as if its first record were the first of all.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
  // END TODO(6)
