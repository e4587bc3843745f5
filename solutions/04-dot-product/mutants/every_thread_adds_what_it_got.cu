// mutant: what every thread got is added
// item: dot_f32 makes at most one atomic addition per block
// diagnosis: atomics-not-needed
//
// The mistake: all threads add what block_sum returned to them. Thread 0 has the block's sum; the other lanes of its
// warp have sums of some lanes, and the further warps 0. How wrong that is depends on the numbers.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  atomicAdd(result, block_sum(thread_sum(a, b, n)));
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
