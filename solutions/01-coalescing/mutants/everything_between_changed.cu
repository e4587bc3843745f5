// mutant: everything between changed
// item: stride_add_f64 adds one to every stride-th element
// diagnosis: between-changed
//
// The mistake: a thread takes the whole piece from one element to the next and changes all of it.
// Read: the handout, "TODO(2): elements that lie apart": the elements in between stay as they are.

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (std::size_t k = 0; k < stride; ++k) a[i * stride + k] += 1;
  // END TODO(2)

// GIVEN(stride_add_f64)
void stride_add_f64(double* a, std::size_t n, std::size_t stride) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return;
  stride_add_kernel<<<blocks, threads_per_block>>>(a, n, stride);
}
// END GIVEN(stride_add_f64)
