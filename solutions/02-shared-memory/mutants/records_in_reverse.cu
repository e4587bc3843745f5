// mutant: records in reverse
// item: gather_strided reads shared memory without conflicts at every stride
// diagnosis: wrong-result
// todo: 6 7
//
// The mistake: each thread takes the record of its opposite in the block. The places of TODO(7) are right.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>((records - 1 - threadIdx.x) * stride + k, stride)];
  // END TODO(6)
