// Another style: dot is made of two launches that leave partial sums in allocated memory, without any atomic; blocks of
// 1024 threads; lanes exchange with __shfl_xor_sync, a warp's values with a column of shared memory.

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr unsigned threads = 1024;
constexpr unsigned full = 0xffffffffu;

template <class T>
__device__ T all_lanes(T x) {
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) x += __shfl_xor_sync(full, x, d);
  return x;
}

template <class T>
__device__ T all_warps(T x) {
  __shared__ T of_warp[32];
  x = all_lanes(x);
  if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = x;
  __syncthreads();
  return threadIdx.x < 32 ? all_lanes(of_warp[threadIdx.x]) : T(0);
}

template <class T>
__global__ void first(T* partial, const T* a, const T* b, size_t n) {
  T x = 0, y = 0;
  const size_t grid = size_t(gridDim.x) * threads;
  size_t i = size_t(blockIdx.x) * threads + threadIdx.x;
  for (; i + grid < n; i += 2 * grid) {
    x += a[i] * b[i];
    y += a[i + grid] * b[i + grid];
  }
  if (i < n) x += a[i] * b[i];
  x = all_warps(x + y);
  if (threadIdx.x == 0) partial[blockIdx.x] = x;
}

template <class T>
__global__ void second(T* result, const T* partial, unsigned count) {
  T x = 0;
  for (unsigned k = threadIdx.x; k < count; k += threads) x += partial[k];
  x = all_warps(x);
  if (threadIdx.x == 0) *result = x;
}

template <class T>
void both(T* result, const T* a, const T* b, size_t n) {
  const unsigned blocks = static_cast<unsigned>(std::min<size_t>(132, n / threads + 1));
  T* partial = nullptr;
  cudaMalloc(&partial, blocks * sizeof(T));
  first<<<blocks, threads>>>(partial, a, b, n);
  second<<<1, threads>>>(result, partial, blocks);
  cudaFree(partial);
}

// Four sums per block: 256 threads each.
__global__ void quarters(float* sums, const float* a, const float* b, size_t n) {
  __shared__ float of_warp[32];
  const size_t i = size_t(blockIdx.x) * threads + threadIdx.x;
  const float x = all_lanes(i < n ? a[i] * b[i] : 0.0f);
  if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = x;
  __syncthreads();
  if (i >= n || threadIdx.x % 256 != 0) return;
  float sum = 0;
  for (unsigned w = 0; w < 8; ++w) sum += of_warp[threadIdx.x / 32 + w];
  sums[i / 256] = sum;
}

__device__ double kept[132];
__device__ int arrived;

__global__ void one_launch(float* result, const float* a, const float* b, size_t n) {
  double x = 0;
  for (size_t i = size_t(blockIdx.x) * threads + threadIdx.x; i < n; i += size_t(gridDim.x) * threads)
    x += double(a[i]) * b[i];
  x = all_warps(x);
  __shared__ int place;
  if (threadIdx.x == 0) {
    atomicExch(reinterpret_cast<unsigned long long*>(&kept[blockIdx.x]), __double_as_longlong(x));
    __threadfence();
    place = atomicAdd(&arrived, 1);
  }
  __syncthreads();
  if (place != int(gridDim.x) - 1) return;
  const double mine = threadIdx.x < gridDim.x ? __ldcg(&kept[threadIdx.x]) : 0;
  const double total = all_warps(mine);
  if (threadIdx.x != 0) return;
  *result = float(total);
  atomicExch(&arrived, 0);
}

} // namespace

void block_dots_f32(float* sums, const float* a, const float* b, size_t n) {
  if (n == 0) return;
  quarters<<<unsigned((n + threads - 1) / threads), threads>>>(sums, a, b, n);
}
void dot_f32(float* result, const float* a, const float* b, size_t n) { both(result, a, b, n); }
void dot_f64(double* result, const double* a, const double* b, size_t n) { both(result, a, b, n); }
void dot_deterministic_f32(float* result, const float* a, const float* b, size_t n) {
  one_launch<<<unsigned(std::min<size_t>(132, n / 4096 + 1)), threads>>>(result, a, b, n);
}
