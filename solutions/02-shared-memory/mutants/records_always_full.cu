// mutant: records always full
// item: gather_strided_f32 makes an array of each word of the records
// diagnosis[sim]: out-of-bounds
// diagnosis[cuda]: guard-damaged
//
// The mistake: the last block has 64 records like the others, and goes on behind the end of the arrays.
// Read: the handout, "TODO(6): gather records".

// GIVEN(gather_kernel)
template <typename T>
__global__ void gather_kernel(T* out, const T* in, std::size_t n, unsigned stride) {
  extern __shared__ float4 gather_buffer[];
  T* const kept = reinterpret_cast<T*>(gather_buffer);
  const std::size_t first = std::size_t{blockIdx.x} * records_per_block; // record
  const unsigned records = records_per_block;
  for (unsigned j = threadIdx.x; j < records * stride; j += blockDim.x)
    kept[place<T>(j, stride)] = in[first * stride + j];
  __syncthreads();
  if (threadIdx.x >= records) return;
  for (unsigned k = 0; k < stride; ++k)
    out[k * n + first + threadIdx.x] = kept[place<T>(threadIdx.x * stride + k, stride)];
}
// END GIVEN(gather_kernel)
