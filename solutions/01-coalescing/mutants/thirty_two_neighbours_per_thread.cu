// mutant: thirty-two neighbours per thread
// item: offset_add_f64 is as fast as one element per thread can be
// diagnosis: too-slow
// backends: cuda
//
// The mistake: to save threads, each does 32 neighbouring elements one after the other. At every step the lanes of
// a warp are 256 bytes apart, and each fetches a sector of its own; caches soften that, but not enough.
// Read: the handout, "What a warp asks for".

// GIVEN(offset_add_kernel)
constexpr std::size_t elements_per_thread = 32;

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * elements_per_thread;
  for (std::size_t i = first; i < first + elements_per_thread && i < n; ++i) a[offset + i] += T{1};
}
// END GIVEN(offset_add_kernel)

// GIVEN(offset_add)
template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  const std::size_t elements_per_block = threads_per_block * elements_per_thread;
  const std::size_t blocks = (n + elements_per_block - 1) / elements_per_block;
  if (blocks != 0) offset_add_kernel<<<blocks, threads_per_block>>>(a, n, offset);
}
// END GIVEN(offset_add)
