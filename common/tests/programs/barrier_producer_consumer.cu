// Warps of a block with two kinds of work: producers fill two buffers in turn, consumers reduce what they find there.
// Four barriers say when a buffer is full and when it is empty, as in the programming guide's chapter on asynchronous
// barriers. A second kernel splits arrival and wait, and does other work in between.
#include <cooperative_groups.h>
#include <cuda/barrier>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int buffer_length = 64;

__device__ void produce(barrier ready[], barrier filled[], float* buffer, const float* in, int batches) {
  for (int i = 0; i < batches; ++i) {
    ready[i % 2].arrive_and_wait();
    for (int k = static_cast<int>(threadIdx.x); k < buffer_length; k += 32)
      buffer[i % 2 * buffer_length + k] = 2.0f * in[i * buffer_length + k];
    barrier::arrival_token token = filled[i % 2].arrive();
    (void)token;
  }
}

__device__ float consume(barrier ready[], barrier filled[], const float* buffer, int batches) {
  barrier::arrival_token first = ready[0].arrive(), second = ready[1].arrive();
  (void)first;
  (void)second;
  float sum = 0;
  for (int i = 0; i < batches; ++i) {
    filled[i % 2].arrive_and_wait();
    for (int k = static_cast<int>(threadIdx.x) - 32; k < buffer_length;
         k += static_cast<int>(blockDim.x) - 32)
      sum += buffer[i % 2 * buffer_length + k];
    barrier::arrival_token token = ready[i % 2].arrive();
    (void)token;
  }
  return sum;
}

__global__ void produce_and_consume(const float* in, float* sums, int batches) {
  __shared__ float buffer[2 * buffer_length];
  __shared__ barrier bar[4]; // ready, ready, filled, filled
  const auto block = cg::this_thread_block();
  if (block.thread_rank() < 4) init(bar + block.thread_rank(), block.size());
  block.sync();
  if (block.thread_rank() < 32)
    produce(bar, bar + 2, buffer, in, batches);
  else
    sums[block.thread_rank() - 32] = consume(bar, bar + 2, buffer, batches);
}

// Halves of a sum, with work of its own between arrival and wait.
__global__ void split_arrive_and_wait(const float* in, float* out, int iterations) {
  __shared__ barrier bar;
  __shared__ float shared[128];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  const unsigned rank = block.thread_rank();
  float value = in[rank], own = 0;
  for (int i = 0; i < iterations; ++i) {
    shared[rank] = value;
    barrier::arrival_token token = bar.arrive();
    own += value * 0.5f; // needs no other thread
    bar.wait(std::move(token));
    value = shared[(rank + 1) % block.size()];
    bar.arrive_and_wait();
  }
  out[rank] = own + value;
}

int main() {
  const int batches = 9, threads = 160, n = batches * buffer_length;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, threads * sizeof(float));
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i % 10);
    expected += 2.0 * in[i];
  }
  produce_and_consume<<<1, threads>>>(in, out, batches);
  cudaError_t status = cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < threads - 32; ++i) sum += out[i];
  bool right = status == cudaSuccess && sum == expected;
  std::printf("the consumers found %g of %g\n", sum, expected);

  const int iterations = 5;
  split_arrive_and_wait<<<1, 128>>>(in, out, iterations);
  status = cudaDeviceSynchronize();
  right = right && status == cudaSuccess;
  for (int rank = 0; rank < 128; ++rank) {
    float own = 0;
    for (int i = 0; i < iterations; ++i) own += in[(rank + i) % 128] * 0.5f;
    right = right && out[rank] == own + in[(rank + iterations) % 128];
  }
  cudaFree(in);
  cudaFree(out);
  std::printf("%s\n", right ? "PASSED" : "FAILED");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
