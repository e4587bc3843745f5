// Prefixes of tiles that come into shared memory by the primitives of asynchronous copies: the next tile is on its way while one is
// added up, and what lies behind the array comes as zeros.
#include <cuda_pipeline.h>

#include <cstdio>
#include <vector>

constexpr int tile = 128;

__global__ void sums_of_tiles(const int4* in, int* out, int quads, int tiles) {
  __shared__ int4 stages[2][tile];
  __shared__ int sum;
  const int t = threadIdx.x;
  const auto fetch = [&](int k) {
    const int i = k * tile + t;
    if (k < tiles)
      __pipeline_memcpy_async(&stages[k % 2][t], in + min(i, quads - 1), sizeof(int4),
                              i < quads ? 0 : sizeof(int4));
    __pipeline_commit();
  };
  fetch(0);
  for (int k = 0; k < tiles; ++k) {
    if (t == 0) sum = 0;
    fetch(k + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const int4 v = stages[k % 2][t];
    atomicAdd(&sum, v.x + v.y + v.z + v.w);
    __syncthreads();
    if (t == 0) out[k] = sum;
  }
}

__global__ void last_bytes_become_zero(const int4* in, int4* out) {
  __shared__ int4 copy;
  if (threadIdx.x == 0) __pipeline_memcpy_async(&copy, in, 16, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x == 0) *out = copy;
}

int main() {
  const int quads = 1000, tiles = (quads + tile - 1) / tile;
  std::vector<int> values(4 * quads);
  for (int i = 0; i < 4 * quads; ++i) values[i] = i % 97 + 1;
  int4 *in, *tail;
  int* out;
  cudaMalloc(&in, values.size() * sizeof(int));
  cudaMalloc(&tail, sizeof(int4));
  cudaMalloc(&out, tiles * sizeof(int));
  cudaMemcpy(in, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  sums_of_tiles<<<1, tile>>>(in, out, quads, tiles);
  last_bytes_become_zero<<<1, 32>>>(in, tail);
  std::vector<int> sums(tiles);
  int last[4];
  cudaMemcpy(sums.data(), out, tiles * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(last, tail, sizeof last, cudaMemcpyDeviceToHost);
  for (int k = 0; k < tiles; ++k) {
    int expected = 0;
    for (int i = 4 * k * tile; i < 4 * (k + 1) * tile && i < 4 * quads; ++i) expected += values[i];
    if (sums[k] != expected) return std::printf("tile %d: %d, not %d\n", k, sums[k], expected), 1;
  }
  if (last[0] != 1 || last[1] != 2 || last[2] != 3 || last[3] != 0)
    return std::printf("the last bytes are no zeros\n"), 1;
  cudaFree(in);
  cudaFree(tail);
  cudaFree(out);
  std::printf("%d tiles\n", tiles);
  return cudaGetLastError() != cudaSuccess;
}
