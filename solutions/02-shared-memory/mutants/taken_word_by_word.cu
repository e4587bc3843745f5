// mutant: phase 2 takes the elements as if they lay word by word
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: taken-from-another-place
//
// The mistake: phase 1 brings the elements in their old order, record by record, and phase 2 takes them as if the first
// words of all records came first.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(k * records + threadIdx.x, stride)];
  // END TODO(6)
