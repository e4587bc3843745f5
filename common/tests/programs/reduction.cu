// The sum of an array in the classic steps: interleaved, sequential addressing, two elements per thread, unrolled
// by template, and with shuffles.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

__global__ void reduceInterleaved(const int* in, int* out, unsigned n) {
  extern __shared__ int sdata[];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void reduceSequential(const int* in, int* out, unsigned n) {
  extern __shared__ int sdata[];
  const unsigned tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  sdata[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] = sum = sum + sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sum;
}

template <unsigned int blockSize>
__device__ void warpReduce(volatile int* sdata, unsigned int tid) {
  int v = sdata[tid];
  if (blockSize >= 64) { v += sdata[tid + 32]; __syncwarp(); sdata[tid] = v; __syncwarp(); }
  if (blockSize >= 32) { v += sdata[tid + 16]; __syncwarp(); sdata[tid] = v; __syncwarp(); }
  if (blockSize >= 16) { v += sdata[tid + 8]; __syncwarp(); sdata[tid] = v; __syncwarp(); }
  if (blockSize >= 8) { v += sdata[tid + 4]; __syncwarp(); sdata[tid] = v; __syncwarp(); }
  if (blockSize >= 4) { v += sdata[tid + 2]; __syncwarp(); sdata[tid] = v; __syncwarp(); }
  if (blockSize >= 2) { v += sdata[tid + 1]; __syncwarp(); sdata[tid] = v; }
}

template <unsigned int blockSize>
__global__ void reduceUnrolled(const int* in, int* out, unsigned n) {
  __shared__ int sdata[blockSize + 32];
  const unsigned tid = threadIdx.x, gridSize = blockSize * 2 * gridDim.x;
  if (tid < 32) sdata[blockSize + tid] = 0;
  int sum = 0;
  for (unsigned i = blockIdx.x * (blockSize * 2) + tid; i < n; i += gridSize) {
    sum += in[i];
    if (i + blockSize < n) sum += in[i + blockSize];
  }
  sdata[tid] = sum;
  __syncthreads();
  if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
  if (tid < 32) warpReduce<blockSize>(sdata, tid);
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

__inline__ __device__ int warpReduceSum(int val) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__inline__ __device__ int blockReduceSum(int val) {
  static __shared__ int shared[32];
  const int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
  if (wid == 0) val = warpReduceSum(val);
  return val;
}

__global__ void reduceShuffle(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

int main() {
  const unsigned n = 40000, threads = 256;
  std::vector<int> h_in(n);
  for (unsigned i = 0; i < n; ++i) h_in[i] = static_cast<int>(i % 17) - 5;
  const int expected = std::accumulate(h_in.begin(), h_in.end(), 0);

  int *d_in, *d_out;
  const unsigned most = (n + threads - 1) / threads;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, most * sizeof(int));
  cudaMemcpy(d_in, h_in.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  bool ok = true;
  auto check = [&](const char* name, unsigned blocks) {
    std::vector<int> partial(blocks);
    cudaMemcpy(partial.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    const int sum = std::accumulate(partial.begin(), partial.end(), 0);
    std::printf("%-12s %d %s\n", name, sum, sum == expected ? "ok" : "WRONG");
    ok = ok && sum == expected && cudaGetLastError() == cudaSuccess;
  };
  reduceInterleaved<<<most, threads, threads * sizeof(int)>>>(d_in, d_out, n);
  check("interleaved", most);
  reduceSequential<<<(most + 1) / 2, threads, threads * sizeof(int)>>>(d_in, d_out, n);
  check("sequential", (most + 1) / 2);
  switch (threads) {
    case 512: reduceUnrolled<512><<<16, 512>>>(d_in, d_out, n); break;
    case 256: reduceUnrolled<256><<<16, 256>>>(d_in, d_out, n); break;
    case 128: reduceUnrolled<128><<<16, 128>>>(d_in, d_out, n); break;
  }
  check("unrolled", 16);
  cudaMemset(d_out, 0, sizeof(int));
  reduceShuffle<<<8, threads>>>(d_in, d_out, n);
  check("shuffle", 1);
  cudaFree(d_in);
  cudaFree(d_out);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
