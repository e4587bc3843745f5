// mutant: the host adds the sums of the blocks
// item: dot_f32 gives the dot product at any length
// diagnosis: computed-by-host
// backends: sim
//
// The mistake: the kernel leaves a sum for each block, and the host adds these up, as many books do it. The device has to
// wait for the host, and the host for two copies, where one atomic addition for each block would do.
// Read: the contract, labs/04-dot-product/lab.hpp: what may cross between host and device.

// TODO(4)
__device__ double sums_of_blocks[most_blocks];

template <typename T>
__global__ void sums_kernel(const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  if (threadIdx.x == 0) sums_of_blocks[blockIdx.x] = sum;
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  const unsigned blocks = blocks_for(n);
  sums_kernel<<<blocks, threads_per_block>>>(a, b, n);
  double* const sums = new double[blocks];
  cudaMemcpyFromSymbol(sums, sums_of_blocks, blocks * sizeof(double));
  double total = 0;
  for (unsigned k = 0; k < blocks; ++k) total += sums[k];
  delete[] sums;
  const T rounded = static_cast<T>(total);
  cudaMemcpy(result, &rounded, sizeof rounded, cudaMemcpyHostToDevice);
}
// END TODO(4)
