// mutant: half-precision sum
// item: dot_f32 keeps its digits over many equal products
// diagnosis: too-many-roundings
//
// The mistake: the running sum has the 11 bits of a half-precision number. Once it is 2048 times as large
// as a product, adding one changes nothing.
// Read: more.md, "How far the sum may be off".

// GIVEN(blocks_for)
unsigned blocks_for(std::size_t n) { return n < 1000 ? 1 : 132; }
// END GIVEN(blocks_for)

// GIVEN(thread_sum)
// The leading 11 bits of x, which are what half precision keeps.
__device__ float as_half(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }

// The sum of this thread's products.
template <typename T>
__device__ T thread_sum(const T* a, const T* b, std::size_t n) {
  T sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    sum = as_half(sum + a[i] * b[i]);
  return sum;
}
// END GIVEN(thread_sum)
