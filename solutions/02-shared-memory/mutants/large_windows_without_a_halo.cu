// mutant: large windows without a halo
// item: stencil takes radii whose window is larger than 48 KiB
// diagnosis: only-small-windows-shared
// todo: 3
// backends: sim
//
// The mistake: a block whose window is larger than 48 KiB keeps only its own elements, and reads the halo, which is most of the
//   window, from global memory for every sum.
// Read: the handout, "More than 48 KiB".

// GIVEN(stencil)
namespace {

// For radii whose window has more than 48 KiB: the block's own elements, and no halo.
__global__ void large_stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  __shared__ float own[threads_per_block];
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x, i = first + threadIdx.x;
  if (i < n) own[threadIdx.x] = in[i];
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (std::size_t j = i < radius ? 0 : i - radius; j < n && j <= i + radius; ++j)
    sum += j >= first && j - first < blockDim.x ? own[j - first] : in[j];
  out[i] = sum;
}

} // namespace

void stencil(float* out, const float* in, std::size_t n, unsigned radius) {
  if (n == 0) return;
  const std::size_t bytes = (threads_per_block + 2 * radius) * sizeof(float);
  if (bytes <= 48 * 1024)
    stencil_kernel<<<pieces(n, threads_per_block), threads_per_block, bytes>>>(out, in, n, radius);
  else
    large_stencil_kernel<<<pieces(n, threads_per_block), threads_per_block>>>(out, in, n, radius);
}
// END GIVEN(stencil)
