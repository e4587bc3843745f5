// mutant: half precision
// item: dot_f32 gives the dot product at any length
// diagnosis: low-precision
// todo: 2 3 4
//
// The mistake: every product is cut to the 11 bits of a half-precision number before it is added.
// Read: more.md, "How far the sum may be off".

// GIVEN(thread_sum)
// The leading 11 bits of x, which are what half precision keeps.
__device__ float as_half(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }

// The sum of this thread's products.
template <typename T>
__device__ T thread_sum(const T* a, const T* b, std::size_t n) {
  T sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    sum += as_half(a[i] * b[i]);
  return sum;
}
// END GIVEN(thread_sum)
