// A right solution of lab 01 in another style: a thread has an element in each quarter of the array, so that quarters
// of an odd length begin anywhere; a copy without a common boundary goes through shared memory, and writes vectors.
// backends: sim
// A part of the contract.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr unsigned threads = 128;

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

// f(i) for this thread's elements, of which the grid has one thread for every four.
template <typename F>
__device__ void in_quarters(std::size_t n, F f) {
  const std::size_t quarter = (n + 3) / 4;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (first >= quarter) return;
  for (std::size_t i = first; i < n; i += quarter) f(i);
}

template <typename T>
__global__ void add_kernel(T* a, std::size_t n, std::size_t stride) {
  in_quarters(n, [=](std::size_t i) { a[i * stride] += T{1}; });
}

template <typename T>
void add(T* a, std::size_t n, std::size_t stride) {
  if (n != 0) add_kernel<<<blocks_for((n + 3) / 4), threads>>>(a, n, stride);
}

template <typename T>
__global__ void copy_kernel(T* out, const T* in, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <typename T>
void copy(T* out, const T* in, std::size_t n) {
  if (n != 0) copy_kernel<<<blocks_for(n), threads>>>(out, in, n);
}

// Whole vectors of `out`, whose floats lie anywhere in `in`.
__global__ void staged_kernel(float4* out, const float* in, std::size_t vectors) {
  __shared__ float staged[4 * threads];
  const std::size_t first = std::size_t{blockIdx.x} * threads;
  const std::size_t count = min(std::size_t{threads}, vectors - first);
  for (std::size_t k = threadIdx.x; k < 4 * count; k += threads) staged[k] = in[4 * first + k];
  __syncthreads();
  if (threadIdx.x >= count) return;
  const float* four = staged + 4 * threadIdx.x;
  out[first + threadIdx.x] = make_float4(four[0], four[1], four[2], four[3]);
}

std::size_t past_boundary(const float* address) { return reinterpret_cast<std::uintptr_t>(address) % 16; }

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { add(a + offset, n, 1); }

void copy_vectorized(float* out, const float* in, std::size_t n) {
  const std::size_t head = std::min(n, (16 - past_boundary(out)) % 16 / sizeof(float));
  const std::size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
  float4* body = reinterpret_cast<float4*>(out + head);
  copy(out, in, head);
  if (past_boundary(in) == past_boundary(out))
    copy(body, reinterpret_cast<const float4*>(in + head), vectors);
  else if (vectors != 0)
    staged_kernel<<<blocks_for(vectors), threads>>>(body, in + head, vectors);
  copy(out + tail, in + tail, n - tail);
}
