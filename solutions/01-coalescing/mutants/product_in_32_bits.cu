// mutant: product in 32 bits
// item: stride_add_f32 adds one to every stride-th element
// diagnosis: index-overflow
//
// The mistake: the thread's number and the stride are both unsigned, so their product is taken modulo 2^32; far elements keep their values and near ones change twice.
// Read: the handout, "What a stride costs": the product may need more than 32 bits.

// GIVEN(stride_add_kernel)
__global__ void stride_add_kernel(float* a, unsigned n, unsigned stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i * stride] += 1;
}
// END GIVEN(stride_add_kernel)

// GIVEN(stride_add_f32)
void stride_add_f32(float* a, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  stride_add_kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(a, n, stride);
}
// END GIVEN(stride_add_f32)
