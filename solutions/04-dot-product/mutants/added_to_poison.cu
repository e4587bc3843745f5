// mutant: added to poison
// item: dot_f32 gives the dot product at any length
// diagnosis[sim]: uninitialised-read
// diagnosis[cuda]: sum-not-initialised
//
// The mistake: *result is never set to 0, so the blocks add to what it held before.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
