// mutant: every thread adds alone
// item: dot_f32 adds the lanes of a warp without shared memory
// diagnosis: no-shuffles
// todo: 4
//
// The mistake: each thread adds its own sum to *result. block_sum, which has the lanes exchange theirs, is not
// called: it is the addition that is wrong.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  atomicAdd(result, thread_sum(a, b, n));
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
