// mutant: chunks where vectors do not fit
// item: copy_vectorized stays coalesced where the arrays share no boundary
// diagnosis: uncoalesced
//
// The mistake: where no vectors fit, each thread copies 4 neighbouring floats one by one.
// Read: the handout, "Head, body and tail": without a common boundary, one float per thread.

// GIVEN(copy_vectorized)
namespace {

__global__ void chunk_kernel(float* out, const float* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t k = 4 * i; k < 4 * i + 4 && k < n; ++k) out[k] = in[k];
}

} // namespace

void copy_vectorized(float* out, const float* in, std::size_t n) {
  std::size_t head = n;
  if (past_boundary(in) == past_boundary(out))
    head = std::min(n, (16 - past_boundary(in)) % 16 / sizeof(float));
  if (head == n) {
    if (n != 0) chunk_kernel<<<blocks_for(n / 4 + 1), threads_per_block>>>(out, in, n);
    return;
  }
  const std::size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
  copy<float>(out, in, head);
  copy<float4>(out + head, in + head, vectors);
  copy<float>(out + tail, in + tail, n - tail);
}
// END GIVEN(copy_vectorized)
