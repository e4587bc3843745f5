// mutant: the place in the output
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: place-forgotten
// backends: sim
//
// The mistake: a word is taken from where it would lie if the buffer held one array after the other.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(k * records_per_block + threadIdx.x, stride)];
  // END TODO(6)
