// mutant: head moves one side only
// item: copy_vectorized copies n floats from any address to any address
// diagnosis: shifted-copy
//
// The mistake: the body begins behind the head in `out`, but at the beginning of `in`.
// Read: the handout, "Head, body and tail".

// GIVEN(copy_kernel)
__global__ void copy_kernel(float* out, const float* in, std::size_t n, std::size_t head) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < head) out[i] = in[i];
  if (head + i < n) out[head + i] = in[i];
}
// END GIVEN(copy_kernel)

  // TODO(3)
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  if (n != 0) copy_kernel<<<blocks_for(n), threads_per_block>>>(out, in, n, head == n ? 0 : head);
  // END TODO(3)
