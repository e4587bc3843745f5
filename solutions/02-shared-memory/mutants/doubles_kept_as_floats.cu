// mutant: doubles kept as floats
// item: gather_strided_f64 makes an array of each word of the records
// diagnosis: wrong-result
//
// The mistake: the words go through floats on their way, and lose what a double has more.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = float(in[first * stride + j]);
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
  // END TODO(6)
