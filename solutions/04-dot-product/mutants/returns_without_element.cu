// mutant: returns without an element
// item: dot_f32 gives the dot product at any length
// diagnosis: lanes-returned
// todo: 4
// backends: sim
//
// The mistake: threads that have no element return at once, and the lanes of their warp exchange values with them.
// Read: the handout, "Lanes exchange values".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  if (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x >= n) return;
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
