// mutant: size of a pointer
// item: dot_f32 keeps its digits over many equal products
// backends: sim
// diagnosis: guard-damaged
// todo: 4
//
// The mistake: sizeof(result) is the size of the pointer, 8 bytes, and *result has 4. Of the three parts only the one
// that writes the result can write behind it.
// Read: labs/04-dot-product/lab.hpp: nothing outside the arrays may be written.

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(result));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
