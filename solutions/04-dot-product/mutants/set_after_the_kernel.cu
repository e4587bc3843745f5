// mutant: set after the kernel
// item: dot_f32 gives the dot product at any length
// diagnosis: uninitialised-read
// backends: sim
// todo: 4
//
// The mistake: *result is set to 0 behind the launch: the kernel adds to what was there, and then its sum is gone.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
  cudaMemsetAsync(result, 0, sizeof(T));
}
// END TODO(4)
