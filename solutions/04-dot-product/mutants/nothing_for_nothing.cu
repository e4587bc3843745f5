// mutant: nothing for nothing
// item: dot_f32 gives the dot product at any length
// diagnosis: output-unwritten
// todo: 4
//
// The mistake: for n = 0 the function returns at once. The sum of no products is 0, and the caller waits for
// it.
// Read: labs/04-dot-product/lab.hpp: n may be 0, and the sum is written.

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  if (n == 0) return;
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
