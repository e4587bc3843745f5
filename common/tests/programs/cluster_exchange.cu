// Blocks of a cluster read each other's shared memory: a ring shift, and a histogram spread over the cluster.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) ring(const int* in, int* out) {
  __shared__ int mine[64];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  mine[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  cluster.sync();
  const int* next = cluster.map_shared_rank(mine, (rank + 1) % blocks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = next[threadIdx.x];
  cluster.sync(); // no block leaves while its neighbour still reads
}

__global__ void spread_histogram(int* bins, int bins_per_block, const int* in, int n) {
  extern __shared__ int local[];
  const auto cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) local[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int* owner = cluster.map_shared_rank(local, in[i] / bins_per_block);
    atomicAdd(owner + in[i] % bins_per_block, 1);
  }
  cluster.sync();
  int* target = bins + cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&target[i], local[i]);
}

int main() {
  const int threads = 64, blocks = 8, n = threads * blocks;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i * i % 128;
  int *d_in, *d_out, *d_bins;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_bins, 128 * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  ring<<<blocks, threads>>>(d_in, d_out);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < threads; ++t)
      wrong += out[b * threads + t] != in[(b / 4 * 4 + (b + 1) % 4) * threads + t];

  cudaMemset(d_bins, 0, 128 * sizeof(int));
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = 64 * sizeof(int);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  const cudaError_t launched = cudaLaunchKernelEx(&config, spread_histogram, d_bins, 64, (const int*)d_in, n);
  std::vector<int> bins(128), expected(128);
  cudaMemcpy(bins.data(), d_bins, 128 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int value : in) ++expected[value];
  wrong += bins != expected;
  std::printf("%s, %d wrong\n", cudaGetErrorName(launched), wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_bins);
  return wrong || launched != cudaSuccess;
}
