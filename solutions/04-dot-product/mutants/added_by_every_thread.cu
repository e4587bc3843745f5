// mutant: added by every thread, without an atomic
// item: dot_f32 gives the dot product at any length
// diagnosis: global-race
// backends: sim
// todo: 4
//
// The mistake: all threads of a block add what block_sum gave them to *result. Only thread 0 has the block's sum, and an
// addition is a read and a write: one thread adds, in one step. No barrier helps, for all do it in the same line.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  *result += sum;
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
