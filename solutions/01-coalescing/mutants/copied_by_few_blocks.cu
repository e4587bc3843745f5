// mutant: copied by few blocks
// item: copy_vectorized is as fast as a plain copy with 16 bytes per thread
// diagnosis: too-slow
// backends: cuda
//
// The mistake: 32 blocks that walk through the arrays, one for each lane of a warp, as it were. Every access has
//   16 bytes, but a GPU has many more multiprocessors than that, and each needs several blocks to wait for memory.
// Read: the handout, "Sixteen bytes per access".

// GIVEN(copy_kernel)
template <typename T>
__global__ void copy_kernel(T* out, const T* in, std::size_t n) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
    out[i] = in[i];
}
// END GIVEN(copy_kernel)

// GIVEN(copy)
constexpr unsigned blocks = 32;

template <typename T>
void copy(float* out, const float* in, std::size_t n) {
  if (n == 0) return;
  copy_kernel<<<blocks, threads_per_block>>>(reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in), n);
}
// END GIVEN(copy)
