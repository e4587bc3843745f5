// mutant: words counted in 32 bits
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: index-overflow
// todo: 6
//
// The mistake: places in both arrays are unsigned, so that after 2^32 words they start again at 0.
// Read: labs/02-shared-memory/lab.hpp: n * stride may exceed 2^32.

  // TODO(6)
  const unsigned begin = static_cast<unsigned>(first) * stride;
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[begin + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k) {
    const unsigned to = k * static_cast<unsigned>(n) + static_cast<unsigned>(first) + threadIdx.x;
    out[to] = kept[place<T>(threadIdx.x * stride + k, stride)];
  }
  // END TODO(6)
