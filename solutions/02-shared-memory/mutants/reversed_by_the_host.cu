// mutant: the host reverses the pieces
// item: reverse_blocks reverses every piece of 256 elements
// diagnosis: computed-by-host
// backends: sim
//
// The mistake: a copy in managed memory, which host code can use like its own, and which crosses from one side to the
// other all the same.
// Read: the contract, labs/02-shared-memory/lab.hpp: what may cross between host and device.

#include <cuda_runtime.h>

#include <algorithm>

void reverse_blocks(int* a, std::size_t n) {
  if (n == 0) return;
  int* copy = nullptr;
  cudaMallocManaged(&copy, n * sizeof(int));
  cudaMemcpy(copy, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  for (std::size_t first = 0; first < n; first += reverse_piece)
    std::reverse(copy + first, copy + std::min(first + reverse_piece, n));
  cudaMemcpy(a, copy, n * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaFree(copy);
}
