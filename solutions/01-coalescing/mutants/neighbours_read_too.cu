// mutant: neighbours read too
// item: stride_add_f64 touches only the sectors of its elements
// diagnosis: other-elements-read
//
// The mistake: every thread reads its whole piece of the array, although only one element of it is needed.
// Read: the handout, "What a stride costs".

  // TODO(2)
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double mine = 0;
  for (std::size_t k = stride; k-- > 0;) mine = static_cast<volatile double*>(a)[i * stride + k];
  a[i * stride] = mine + 1;
  // END TODO(2)

// GIVEN(stride_add_f64)
void stride_add_f64(double* a, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  stride_add_kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(a, n, stride);
}
// END GIVEN(stride_add_f64)
