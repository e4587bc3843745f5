// mutant: one block launches all halves of its part
// item: reduce_nested launches the next half from every block
// diagnosis: wrong-depth
//
// The mistake: the first block of a part launches all seven halves, one behind the other in its own stream.
// That is in order, and right; but a child grid is to launch the next one, as a recursion does.
// Read: the handout, "A block launches its next half".

// GIVEN(nested_kernel)
__global__ void half_kernel(int* sum, int* part) {
  part[threadIdx.x] += part[threadIdx.x + blockDim.x];
  if (blockDim.x == 1) *sum = part[0];
}

__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const std::size_t first = blockIdx.x * part_size + threadIdx.x, second = first + blockDim.x;
  int* part = work + blockIdx.x * part_size;
  int* sum = sums + blockIdx.x;
  part[threadIdx.x] = (first < n ? from[first] : 0) + (second < n ? from[second] : 0);
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    half_kernel<<<1, half>>>(sum, part);
    if (cudaGetLastError() != cudaSuccess) __trap();
  }
}
// END GIVEN(nested_kernel)
