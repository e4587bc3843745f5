// mutant: stride in the launch
// item: stride_add_f64 adds one to every stride-th element
// diagnosis: stride-in-bound
//
// The mistake: the launch has threads for n / stride elements, as if n counted the array's elements.
// Read: the handout, "More threads than elements".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / stride) a[i * stride] += 1;
  // END TODO(2)

// GIVEN(stride_add_f64)
void stride_add_f64(double* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n / stride + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}
// END GIVEN(stride_add_f64)
