// mutant: zero copied to the host
// item: dot_f32 gives the dot product at any length
// diagnosis: uninitialised-read
// backends: sim
// todo: 4
//
// The mistake: the zero is to go to the device, and the call names the other direction. It fails, and the code does not look at what it
// returns.
// Read: the handout, "One addition per block".

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  const T zero = 0;
  cudaMemcpy(result, &zero, sizeof(T), cudaMemcpyDeviceToHost);
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
