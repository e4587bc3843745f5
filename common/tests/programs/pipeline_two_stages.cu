// Matrix products whose tiles come into shared memory by asynchronous copies: with a pipeline of two stages that the
// block shares, with one that each thread has for itself, with a barrier, and with cooperative_groups::memcpy_async.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int tile = 16;

__device__ float product_of_tiles(const float* a, const float* b) {
  float sum = 0;
  for (int k = 0; k < tile; ++k) sum += a[threadIdx.y * tile + k] * b[k * tile + threadIdx.x];
  return sum;
}

__device__ int row() { return blockIdx.y * tile + threadIdx.y; }
__device__ int column() { return blockIdx.x * tile + threadIdx.x; }
__device__ int place() { return threadIdx.y * tile + threadIdx.x; }

__global__ void shared_pipeline(const float* a, const float* b, float* c, int n) {
  constexpr int stages = 2;
  __shared__ float as[stages][tile * tile], bs[stages][tile * tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int step = 0, fetched = 0; step < n / tile; ++step) {
    for (; fetched < n / tile && fetched < step + stages; ++fetched) {
      const int stage = fetched % stages;
      pipe.producer_acquire();
      cuda::memcpy_async(&as[stage][place()], &a[row() * n + fetched * tile + threadIdx.x], sizeof(float),
                         pipe);
      cuda::memcpy_async(&bs[stage][place()], &b[(fetched * tile + threadIdx.y) * n + column()],
                         sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += product_of_tiles(as[step % stages], bs[step % stages]);
    pipe.consumer_release();
  }
  c[row() * n + column()] = sum;
}

__global__ void own_pipeline(const float* a, const float* b, float* c, int n) {
  __shared__ float as[2][tile * tile], bs[2][tile * tile];
  auto pipe = cuda::make_pipeline();
  auto fetch = [&](int step) {
    pipe.producer_acquire();
    cuda::memcpy_async(&as[step % 2][place()], &a[row() * n + step * tile + threadIdx.x], sizeof(float),
                       pipe);
    cuda::memcpy_async(&bs[step % 2][place()], &b[(step * tile + threadIdx.y) * n + column()], sizeof(float),
                       pipe);
    pipe.producer_commit();
  };
  float sum = 0;
  fetch(0);
  for (int step = 0; step < n / tile; ++step) {
    if (step + 1 < n / tile) fetch(step + 1);
    if (step + 1 < n / tile)
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    else
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads(); // the other threads' copies
    sum += product_of_tiles(as[step % 2], bs[step % 2]);
    pipe.consumer_release();
    __syncthreads(); // before they are overwritten
  }
  c[row() * n + column()] = sum;
}

__global__ void with_barrier(const float* a, const float* b, float* c, int n) {
  __shared__ alignas(16) float as[tile * tile], bs[tile * tile];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  float sum = 0;
  for (int step = 0; step < n / tile; ++step) {
    if (threadIdx.x == 0) {
      cuda::memcpy_async(&as[threadIdx.y * tile], &a[row() * n + step * tile],
                         cuda::aligned_size_t<16>(tile * sizeof(float)), bar);
      cuda::memcpy_async(&bs[threadIdx.y * tile], &b[(step * tile + threadIdx.y) * n + blockIdx.x * tile],
                         cuda::aligned_size_t<16>(tile * sizeof(float)), bar);
    }
    bar.arrive_and_wait();
    sum += product_of_tiles(as, bs);
    bar.arrive_and_wait();
  }
  c[row() * n + column()] = sum;
}

__global__ void with_group(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile * tile], bs[tile * tile];
  const auto block = cg::this_thread_block();
  float sum = 0;
  for (int step = 0; step < n / tile; ++step) {
    for (int k = 0; k < tile; ++k) {
      cg::memcpy_async(block, as + k * tile, a + (blockIdx.y * tile + k) * n + step * tile,
                       sizeof(float) * tile);
      cg::memcpy_async(block, bs + k * tile, b + (step * tile + k) * n + blockIdx.x * tile,
                       sizeof(float) * tile);
    }
    cg::wait(block);
    sum += product_of_tiles(as, bs);
    block.sync();
  }
  c[row() * n + column()] = sum;
}

int main() {
  const int n = 48;
  std::vector<float> expected(n * n);
  float *a, *b, *c;
  cudaMallocManaged(&a, n * n * sizeof(float));
  cudaMallocManaged(&b, n * n * sizeof(float));
  cudaMallocManaged(&c, n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 7 - 3);
    b[i] = static_cast<float>(i % 5 - 2);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) expected[i * n + j] += a[i * n + k] * b[k * n + j];
  int wrong = 0;
  const char* names[] = {"shared pipeline", "own pipeline", "barrier", "group"};
  using Kernel = void (*)(const float*, const float*, float*, int);
  const Kernel kernels[] = {shared_pipeline, own_pipeline, with_barrier, with_group};
  for (int version = 0; version < 4; ++version) {
    cudaMemset(c, 0, n * n * sizeof(float));
    kernels[version]<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    int different = 0;
    for (int i = 0; i < n * n; ++i) different += std::fabs(c[i] - expected[i]) > 0;
    std::printf("%s: %d elements differ\n", names[version], different);
    wrong += different;
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
