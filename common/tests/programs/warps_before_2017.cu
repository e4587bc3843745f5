// A sum, a stream compaction and a maximum as they were written for the devices before 2017: warp functions without a
// mask, among the lanes that are active. Built with --legacy-warp-functions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

__inline__ __device__ int warp_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down(value, offset);
  return value;
}

__inline__ __device__ int block_sum(int value) {
  static __shared__ int shared[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  value = warp_sum(value);
  if (lane == 0) shared[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
  if (warp == 0) value = warp_sum(value);
  return value;
}

__global__ void sum(const int* in, int* out, int n) {
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) value += in[i];
  value = block_sum(value);
  if (threadIdx.x == 0) atomicAdd(out, value);
}

// The lanes that keep an element reserve room together: one atomic per warp.
__device__ int reserve(int* counter) {
  const int active = __ballot(1), leader = __ffs(active) - 1, lane = threadIdx.x % warpSize;
  int begin = 0;
  if (lane == leader) begin = atomicAdd(counter, __popc(active));
  begin = __shfl(begin, leader);
  return begin + __popc(active & ((1 << lane) - 1));
}

__global__ void keep_odd(const int* in, int* out, int* kept, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 != 0) out[reserve(kept)] = in[i];
}

__global__ void maximum(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int mask = 16; mask > 0; mask /= 2) value = max(value, __shfl_xor(value, mask));
  if (threadIdx.x % 32 == 0) atomicMax(out, value);
  // All lanes agree, and no lane is beyond the maximum.
  if (!__all(__shfl(value, 0) == value) || __any(i < n && in[i] > value)) __trap();
}

int main() {
  const int n = 10000;
  std::vector<int> values(n);
  int expected_sum = 0, expected_odd = 0, expected_maximum = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = i * 7919 % 10007;
    expected_sum += values[i];
    expected_odd += values[i] % 2;
    expected_maximum = std::max(expected_maximum, values[i]);
  }
  int *in, *odd, *results;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&odd, n * sizeof(int));
  cudaMalloc(&results, 3 * sizeof(int));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(results, 0, 3 * sizeof(int));
  sum<<<8, 256>>>(in, results, n);
  keep_odd<<<(n + 255) / 256, 256>>>(in, odd, results + 1, n);
  maximum<<<(n + 255) / 256, 256>>>(in, results + 2, n);
  int found[3];
  cudaMemcpy(found, results, sizeof found, cudaMemcpyDeviceToHost);
  std::vector<int> kept(found[1]);
  cudaMemcpy(kept.data(), odd, kept.size() * sizeof(int), cudaMemcpyDeviceToHost);
  bool ok = found[0] == expected_sum && found[1] == expected_odd && found[2] == expected_maximum;
  for (int value : kept) ok = ok && value % 2 == 1;
  std::printf("sum %d, odd %d, maximum %d: %s\n", found[0], found[1], found[2], ok ? "ok" : "WRONG");
  cudaFree(in);
  cudaFree(odd);
  cudaFree(results);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
