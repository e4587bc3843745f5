// mutant: words in their old order
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: order-kept
//
// The mistake: the words are written in the order in which they were read.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    out[first * stride + j] = kept[place<T>(j, stride)];
  // END TODO(6)
