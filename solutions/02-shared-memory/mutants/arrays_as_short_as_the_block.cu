// mutant: arrays as short as the block
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: index-of-out
// backends: sim
//
// The mistake: an array of the output is taken to have as many words as the block has records. It has n.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * records + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
  // END TODO(6)
