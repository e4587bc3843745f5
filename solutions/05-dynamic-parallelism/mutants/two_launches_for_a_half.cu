// mutant: two child grids share a half
// item: reduce_nested launches the next half from every block
// diagnosis: too-many-child-grids
//
// The mistake: the half is shared out to two child grids before it is added up. Each level launches twice as
// many grids as the one before: 254 instead of 7.
// Read: the handout, "A block launches its next half".

// GIVEN(nested_kernel)
// Adds up the first blockDim.x elements of the part, and gives its halves to two child grids.
__global__ void share_kernel(int* sum, const int* part) {
  const unsigned count = blockDim.x;
  if (threadIdx.x != 0) return;
  if (count == 1) {
    atomicAdd(sum, *part);
    return;
  }
  share_kernel<<<1, count / 2, 0, cudaStreamFireAndForget>>>(sum, part);
  share_kernel<<<1, count / 2, 0, cudaStreamFireAndForget>>>(sum, part + count / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
}

__global__ void nested_kernel(int* sums, int* work, const int* from, std::size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x;
  const std::size_t begin = blockIdx.x * part_size;
  int* part = work + begin;
  part[t] = element(from, n, begin + t) + element(from, n, begin + t + half);
  if (t == 0) sums[blockIdx.x] = 0;
  __syncthreads();
  if (t != 0) return;
  share_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sums + blockIdx.x, part);
  share_kernel<<<1, half / 2, 0, cudaStreamFireAndForget>>>(sums + blockIdx.x, part + half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
}
// END GIVEN(nested_kernel)
