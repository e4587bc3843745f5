// mutant: every warp adds to the result
// item: dot_f32 makes at most one atomic addition per block
// diagnosis: atomics-not-needed
//
// The mistake: lane 0 of every warp adds to *result, eight times as often as is needed. A first sum over
// the block costs a barrier and eight floats of shared memory.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = warp_sum(thread_sum(a, b, n));
  if (threadIdx.x % warp_size == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
