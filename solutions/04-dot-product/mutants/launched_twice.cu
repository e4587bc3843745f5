// mutant: the kernel is launched twice
// item: dot_f32 gives the dot product at any length
// diagnosis: launched-again
// backends: sim
//
// The mistake: a line is there twice, and each launch adds up all products.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
