// mutant: every thread has a record
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: thread-without-record
// backends: sim
//
// The mistake: the threads of the last block write as if each of them had a record.
// Read: the handout, "TODO(6): gather records".

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
  // END TODO(6)
