// mutant: words without barrier
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: shared-race
// backends: sim
//
// The mistake: no thread waits between bringing the words in and taking them out.
// Read: the handout, "TODO(1): exchange elements".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
  // END TODO(6)
