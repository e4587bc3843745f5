// mutant: the result is volatile, and no atomic operation
// item: dot_f32 makes at most one atomic addition per block
// diagnosis: added-without-atomic
// backends: sim
//
// The mistake: volatile makes the compiler read and write memory each time. Two blocks can read the same old value all
// the same, and one of the two sums is lost.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  volatile T* all = result;
  if (threadIdx.x == 0) *all = *all + sum;
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
