// mutant: products in global memory
// item: dot_f32 reads every byte of both arrays once
// diagnosis: read-again
//
// The mistake: a first kernel writes all products to memory, a second one reads and adds them: half as much
// again is read, and a third of it was written for that.
// Read: the handout, "One thread, many products".

// GIVEN(thread_sum)
// The sum of this thread's products.
template <typename T>
__device__ T thread_sum(const T* products, std::size_t n) {
  T sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    sum += products[i];
  return sum;
}
// END GIVEN(thread_sum)

// GIVEN(dot_f32)
namespace {

__global__ void multiply_kernel(float* products, const float* a, const float* b, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) products[i] = a[i] * b[i];
}

__global__ void sum_kernel(float* result, const float* products, std::size_t n) {
  const float sum = block_sum(thread_sum(products, n));
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) {
  cudaMemsetAsync(result, 0, sizeof(float));
  if (n == 0) return;
  float* products = nullptr;
  cudaMalloc(&products, n * sizeof(float));
  multiply_kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(products, a, b, n);
  sum_kernel<<<blocks_for(n), threads_per_block>>>(result, products, n);
  cudaFree(products);
}
// END GIVEN(dot_f32)
