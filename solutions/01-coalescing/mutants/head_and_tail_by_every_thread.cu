// mutant: head and tail by every thread
// item: copy_vectorized peels head and tail and moves the rest 16 bytes per lane
// diagnosis: read-more-than-once
//
// The mistake: head and tail are loops that every thread runs, not one thread.
// Read: the handout, "Head, body and tail".

// GIVEN(copy_kernel)
__global__ void copy_kernel(float* out, const float* in, std::size_t n, std::size_t head,
                            std::size_t vectors) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < vectors) reinterpret_cast<float4*>(out + head)[i] = reinterpret_cast<const float4*>(in + head)[i];
  for (std::size_t k = 0; k < head; ++k) out[k] = in[k];
  for (std::size_t k = head + 4 * vectors; k < n; ++k) out[k] = in[k];
}
// END GIVEN(copy_kernel)

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  const std::size_t vectors = (n - head) / 4;
  if (n != 0) copy_kernel<<<vectors / threads_per_block + 1, threads_per_block>>>(out, in, n, head, vectors);
  // END TODO(3)
