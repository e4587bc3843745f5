// mutant: set to 0 by a block of the kernel that adds
// item: dot_f32 gives the dot product at any length
// diagnosis: set-while-others-add
// todo: 4
// backends: sim
//
// The mistake: the first block sets *result to 0 and then waits at a barrier, which other blocks do not know of.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *result = 0;
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
