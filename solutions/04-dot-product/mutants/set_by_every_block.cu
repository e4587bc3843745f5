// mutant: set to 0 by every block
// item: dot_f64 gives the dot product at any length
// diagnosis: set-while-others-add
// todo: 4
// backends: sim
//
// The mistake: every block sets *result to 0 before it adds, as if it were the block's own.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  if (threadIdx.x == 0) *result = 0;
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
