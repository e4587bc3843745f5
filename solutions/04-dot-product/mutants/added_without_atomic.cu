// mutant: added without an atomic
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: added-without-atomic
// diagnosis[cuda]: wrong-result
//
// The mistake: every block reads *result, adds, and writes it back. Two blocks that read the same value
// lose one of the sums.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) *result += sum;
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
