// mutant: a whole warp adds
// item: dot_f32 gives the dot product at any length
// diagnosis: added-more-than-once
//
// The mistake: with __shfl_xor_sync all lanes of the first warp have the sum, and all of them add it.
// Read: the handout, "One addition per block".

  // TODO(3)
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffff, value, distance);
  // END TODO(3)

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x < warp_size) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
