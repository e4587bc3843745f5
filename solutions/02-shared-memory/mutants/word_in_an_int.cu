// mutant: word in an int
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: index-overflow
// todo[sim]: 6
//
// The mistake: the place of a word in `out` is kept in an int, which is too short for it.
// Read: labs/02-shared-memory/lab.hpp: n * stride may exceed 2^32.

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k) {
    const int to = static_cast<int>(k * n + first + threadIdx.x);
    out[to] = kept[place<T>(threadIdx.x * stride + k, stride)];
  }
  // END TODO(6)
