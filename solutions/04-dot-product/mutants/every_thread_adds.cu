// mutant: every thread adds to the result
// item: dot_f32 makes at most one atomic addition per block
// diagnosis: atomics-not-needed
//
// The mistake: each thread adds its own sum to *result. The sum is right; a quarter of a million additions
// wait for one another at one address.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  atomicAdd(result, thread_sum(a, b, n));
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
