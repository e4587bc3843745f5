// mutant: gathered in global memory
// item: gather_strided is coalesced on both sides of shared memory
// diagnosis: uncoalesced
//
// The mistake: every thread takes its words straight from its record. The lanes are `stride` words apart.
// Read: the handout, "TODO(6): gather records".

// GIVEN(gather_kernel)
// One thread for one record.
template <typename T>
__global__ void gather_kernel(T* out, const T* in, std::size_t n, std::size_t stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (std::size_t k = 0; k < stride; ++k) out[k * n + i] = in[i * stride + k];
}
// END GIVEN(gather_kernel)

// GIVEN(gather_strided)
template <typename T>
void gather_strided(T* out, const T* in, std::size_t n, std::size_t stride) {
  if (n == 0) return;
  gather_kernel<T><<<pieces(n, threads_per_block), threads_per_block>>>(out, in, n, stride);
}
// END GIVEN(gather_strided)
