// mutant: single precision
// item: dot_f64 gives the dot product at any length
// diagnosis: low-precision
//
// The mistake: the sums of doubles are kept in a float.
// Read: more.md, "How far the sum may be off".

// GIVEN(thread_sum)
// The sum of this thread's products.
template <typename T>
__device__ T thread_sum(const T* a, const T* b, std::size_t n) {
  float sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    sum += static_cast<float>(a[i] * b[i]);
  return sum;
}
// END GIVEN(thread_sum)
