// mutant: caller's array freed
// item: stride_add_f32 adds one to every stride-th element
// diagnosis[sim]: invalid-free
// diagnosis[cuda]: cuda-error
//
// The mistake: the function frees the array when the kernel is done with it. It has not allocated it: whoever calls the
// function has, and still needs it.
// Read: lab.hpp: the arrays are the caller's.

// GIVEN(stride_add)
template <typename T>
void stride_add(T* a, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  stride_add_kernel<<<blocks_for(n), threads_per_block>>>(a, n, stride);
  cudaDeviceSynchronize();
  cudaFree(a);
}
// END GIVEN(stride_add)
