// mutant: an atomic for every product
// item: dot_f32 keeps its digits over many equal products
// diagnosis: too-many-roundings
//
// The mistake: every product has a thread and an atomic addition of its own: 400,009 numbers are added one
// after the other, to a float that has become large.
// Read: more.md, "How far the sum may be off".

// GIVEN(blocks_for)
unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>(std::max<std::size_t>(1, (n + threads_per_block - 1) / threads_per_block));
}
// END GIVEN(blocks_for)

// TODO(4)
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(result, a[i] * b[i]);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)
