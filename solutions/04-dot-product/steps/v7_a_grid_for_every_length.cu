// Step 7: a grid for every length.
//
// Idea        short arrays are one block's work: it writes the result itself, so that nothing has to be set to 0, counted or
//             waited for; of the shortest, a small block requests everything at once, without a loop. Long ones get eight times
//             as many blocks as the GPU holds at once, and a multiprocessor that is done early takes another one. In between,
//             setting the result to 0 and an atomic addition that no thread waits for cost less than the last block of step 6, which waits
//             for the count and for the partial sums.
// Bottleneck  memory bandwidth for large n; for small n one launch and one trip to memory.
// Counters    16 sectors per read request; no atomic up to 4,096 vectors of 16 bytes, at most 2,112 for any n.
// Measured    H200, this step, CUB and cuBLAS: 4,469, 4,370 and 4,308 GB/s at 2^28 floats; 6.0, 8.5 and 9.6 µs at 2^18; 4.0, 4.2 and
//             7.1 µs at 2^12.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr unsigned threads_per_block = 1024;
constexpr unsigned warp_size = 32;
constexpr unsigned in_flight = 2; // reads of each array that do not wait for one another
constexpr std::size_t vectors_per_block = in_flight * threads_per_block;
constexpr std::size_t one_block_does = 2 * vectors_per_block;
constexpr int rounds = 8;
constexpr unsigned threads_of_short = 256, in_flight_of_short = 4; // for arrays that fit into a single round
constexpr std::size_t room = 4096; // partial sums: enough for 256 multiprocessors that hold two blocks each

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

// So many rounds of what the device holds at once: 2 of 1,024 threads on each of an H200's 132 multiprocessors. It is asked
// only once.
std::size_t most_blocks() {
  static const int blocks =
      rounds * attribute(cudaDevAttrMultiProcessorCount) *
      (attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / static_cast<int>(threads_per_block));
  return std::min(static_cast<std::size_t>(blocks), room);
}

// A vector has 16 bytes.
unsigned blocks_for(std::size_t bytes) {
  const std::size_t vectors = bytes / 16;
  if (vectors <= one_block_does) return 1;
  return static_cast<unsigned>(std::min(vectors / vectors_per_block, most_blocks()));
}

// 16 bytes of each type.
template <typename T>
struct VectorOf;
template <>
struct VectorOf<float> {
  using Type = float4;
};
template <>
struct VectorOf<double> {
  using Type = double2;
};
template <typename T>
using Vector = typename VectorOf<T>::Type;

__device__ float dot(float a, float b) { return a * b; }
__device__ double dot(double a, double b) { return a * b; }
__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + (a.z * b.z + a.w * b.w); }
__device__ double dot(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }

// The sum of this thread's products of n values of type V: all reads of a round are made before the first is used.
template <typename T, typename V>
__device__ T thread_sum(const V* a, const V* b, std::size_t n) {
  T sum[in_flight] = {}; // in registers: the inner loops are unrolled
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + (in_flight - 1) * step < n; i += in_flight * step) {
    V x[in_flight], y[in_flight];
#pragma unroll
    for (unsigned k = 0; k < in_flight; ++k) {
      x[k] = a[i + k * step];
      y[k] = b[i + k * step];
    }
#pragma unroll
    for (unsigned k = 0; k < in_flight; ++k) sum[k] += dot(x[k], y[k]);
  }
  for (; i < n; i += step) sum[0] += dot(a[i], b[i]);
#pragma unroll
  for (unsigned k = 1; k < in_flight; ++k) sum[0] += sum[k];
  return sum[0];
}

// Where an array of n elements has its first 16-byte boundary, and how many whole vectors follow. Arrays that do not
// reach one after equally many elements have no vectors in common: there everything goes one by one.
struct Parts {
  std::size_t head, vectors;
};
template <typename T>
Parts parts_of(const T* a, const T* b, std::size_t n) {
  constexpr std::size_t width = sizeof(Vector<T>) / sizeof(T);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(a) % sizeof(Vector<T>);
  if (past != reinterpret_cast<std::uintptr_t>(b) % sizeof(Vector<T>)) return {n, 0};
  const std::size_t head = std::min(n, (width - past / sizeof(T)) % width);
  return {head, (n - head) / width};
}

// Of arrays in three parts: what lies before the vectors, the vectors, what lies behind them.
template <typename T>
__device__ T thread_sum_of_parts(const T* a, const T* b, std::size_t n, Parts parts) {
  using V = Vector<T>;
  const std::size_t tail = parts.head + parts.vectors * (sizeof(V) / sizeof(T));
  T sum = thread_sum<T>(reinterpret_cast<const V*>(a + parts.head),
                        reinterpret_cast<const V*>(b + parts.head), parts.vectors);
  sum += thread_sum<T>(a, b, parts.head);
  return sum + thread_sum<T>(a + tail, b + tail, n - tail);
}

// The sum of the values of a warp's first lanes, in lane 0.
template <unsigned lanes = warp_size, typename T>
__device__ T warp_sum(T value) {
#pragma unroll
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// The sum of a block's values, in thread 0.
template <unsigned threads, typename T>
__device__ T block_sum(T value) {
  constexpr unsigned warps = threads / warp_size;
  __shared__ T cache[warps];
  const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
  value = warp_sum(value);
  if (lane == 0) cache[warp] = value;
  __syncthreads();
  if (warp != 0) return 0;
  return warp_sum<warps>(lane < warps ? cache[lane] : 0);
}

// One block for short arrays: all reads are on their way before the first product is needed.
template <typename T>
__global__ void __launch_bounds__(threads_of_short)
    one_round_kernel(T* result, const T* a, const T* b, unsigned n, unsigned head, unsigned vectors) {
  using V = Vector<T>;
  V x[in_flight_of_short] = {}, y[in_flight_of_short] = {}; // zeros where there is no vector
#pragma unroll
  for (unsigned k = 0; k < in_flight_of_short; ++k) {
    const unsigned i = threadIdx.x + k * threads_of_short;
    if (i >= vectors) continue;
    x[k] = reinterpret_cast<const V*>(a + head)[i];
    y[k] = reinterpret_cast<const V*>(b + head)[i];
  }
  T sum = 0;
  const unsigned in_vectors = vectors * (sizeof(V) / sizeof(T));
  for (unsigned i = threadIdx.x; i < n - in_vectors; i += threads_of_short) { // before and behind the vectors
    const unsigned k = i < head ? i : i + in_vectors;
    sum += a[k] * b[k];
  }
#pragma unroll
  for (unsigned k = 0; k < in_flight_of_short; ++k) sum += dot(x[k], y[k]);
  sum = block_sum<threads_of_short>(sum);
  if (threadIdx.x == 0) *result = sum;
}

// Whether that was done.
template <typename T>
bool dot_if_short(T* result, const T* a, const T* b, std::size_t n) {
  if (n * sizeof(T) > in_flight_of_short * threads_of_short * sizeof(Vector<T>)) return false;
  const Parts parts = parts_of(a, b, n);
  one_round_kernel<<<1, threads_of_short>>>(result, a, b, static_cast<unsigned>(n),
                                            static_cast<unsigned>(parts.head),
                                            static_cast<unsigned>(parts.vectors));
  return true;
}

template <typename T>
__global__ void __launch_bounds__(threads_per_block)
    dot_kernel(T* result, const T* a, const T* b, std::size_t n, Parts parts) {
  const T sum = block_sum<threads_per_block>(thread_sum_of_parts(a, b, n, parts));
  if (threadIdx.x != 0) return;
  if (gridDim.x == 1)
    *result = sum;
  else
    atomicAdd(result, sum);
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  if (dot_if_short(result, a, b, n)) return;
  const unsigned blocks = blocks_for(n * sizeof(T));
  if (blocks > 1) cudaMemsetAsync(result, 0, sizeof(T));
  dot_kernel<<<blocks, threads_per_block>>>(result, a, b, n, parts_of(a, b, n));
}

__device__ float partials[room]; // each block's sum
__device__ unsigned blocks_done; // 0 whenever no kernel is running

__global__ void __launch_bounds__(threads_per_block)
    dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n, Parts parts) {
  const float sum = block_sum<threads_per_block>(thread_sum_of_parts(a, b, n, parts));
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) *result = sum;
    return;
  }
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence(); // whoever sees the count sees the partial sum
    is_last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  float total = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) total += partials[k];
  total = block_sum<threads_per_block>(total);
  if (threadIdx.x == 0) {
    *result = total;
    blocks_done = 0; // for the next call
  }
}

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) { dot(result, a, b, n); }

void dot_f64(double* result, const double* a, const double* b, std::size_t n) { dot(result, a, b, n); }

void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  if (dot_if_short(result, a, b, n)) return;
  dot_deterministic_kernel<<<blocks_for(n * sizeof(float)), threads_per_block>>>(result, a, b, n,
                                                                                 parts_of(a, b, n));
}
