// mutant: large windows in global memory
// item: stencil takes radii whose window is larger than 48 KiB
// diagnosis: only-small-windows-shared
// todo: 3
// backends: sim
//
// The mistake: above 48 KiB another kernel sums straight out of global memory. The result is right, and the
//   window that this item asks for is not there.
// Read: the handout, "More than 48 KiB".

// GIVEN(stencil)
namespace {

// For radii whose window has more than 48 KiB.
__global__ void large_stencil_kernel(float* out, const float* in, std::size_t n, unsigned radius) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (std::size_t j = i < radius ? 0 : i - radius; j < n && j <= i + radius; ++j) sum += in[j];
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
