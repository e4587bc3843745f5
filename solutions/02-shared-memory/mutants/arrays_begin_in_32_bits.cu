// mutant: arrays begin in 32 bits
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis: index-overflow
//
// The mistake: k * n, where array k of `out` begins, is computed in 32 bits: with enough records it wraps around.
// Read: labs/02-shared-memory/lab.hpp: n * stride may exceed 2^32.

  // TODO(6)
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * static_cast<unsigned>(n) + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
  // END TODO(6)
