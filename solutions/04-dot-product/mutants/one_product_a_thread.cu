// mutant: one product a thread
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: grid-covers-once
// diagnosis[cuda]: wrong-result
// todo[sim]: 2
//
// The mistake: the grid has fewer threads than there are elements, and no thread goes on after the first.
// Read: the handout, "One thread, many products".

// GIVEN(thread_sum)
// The sum of this thread's products.
template <typename T>
__device__ T thread_sum(const T* a, const T* b, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  return i < n ? a[i] * b[i] : 0;
}
// END GIVEN(thread_sum)
