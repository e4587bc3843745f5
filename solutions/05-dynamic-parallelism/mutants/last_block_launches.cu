// mutant: the last block launches
// item: reduce_nested_by_level is a chain of tail launches
// diagnosis: not-a-tail-launch
//
// The mistake: blocks count themselves, and the last one launches the next level at once. With its fences and
// its counter that is right (lab 04 does it so); but the order that it makes by hand is what a tail launch is
// for.
// Read: the handout, "Level by level".

// GIVEN(level_kernel)
__device__ unsigned blocks_done;

__global__ void level_kernel(int* sums, int* work, const int* from, std::size_t n, std::size_t parts,
                             unsigned half) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < parts * half) {
    const std::size_t first = i / half * part_size + i % half;
    const int added = element(from, n, first) + element(from, n, first + half);
    if (half == 1)
      sums[i] = added;
    else
      work[first] = added;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0 || half == 1 || atomicAdd(&blocks_done, 1) != gridDim.x - 1) return;
  atomicExch(&blocks_done, 0);
  __threadfence();
  const std::size_t blocks = (parts * (half / 2) + blockDim.x - 1) / blockDim.x;
  level_kernel<<<blocks, blockDim.x, 0, cudaStreamFireAndForget>>>(sums, work, work, parts * part_size, parts,
                                                                   half / 2);
  if (cudaGetLastError() != cudaSuccess) __trap();
}
// END GIVEN(level_kernel)
