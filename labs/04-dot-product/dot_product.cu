// Lab 04: the dot product. Complete the TODO regions; README.md beside this file is the handout.
//
//   ./warpbook check 04        grades this file and says what is wrong

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

namespace {

constexpr unsigned threads_per_block = 256;
constexpr unsigned warp_size = 32;
constexpr unsigned all_lanes = 0xffffffff;

} // namespace

// ---- block_dots: a block adds up in shared memory ------------------------------------------------------

namespace {

// One block for 256 elements of a and b, one thread for each; sums has one float for each block.
__global__ void block_dots_kernel(float* sums, const float* a, const float* b, std::size_t n) {
  __shared__ float cache[threads_per_block];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t;
  // TODO(1): every thread writes its product to the cache, then half of them add the other half's, and so on
  // Threads whose i is not below n have no product, but the tree reads their places too: what must they write?
  // Then a loop: 128 threads add the 128 upper places to the 128 lower ones, then 64, 32, and so on down to 1.
  // No thread may read a place before it has been written: where does a __syncthreads() belong? In the end one
  // thread writes the sum to sums[blockIdx.x].
  // END TODO(1)
}

} // namespace

void block_dots_f32(float* sums, const float* a, const float* b, std::size_t n) {
  const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
  if (blocks == 0) return; // a launch of no blocks is an error
  block_dots_kernel<<<blocks, threads_per_block>>>(sums, a, b, n);
}

// ---- dot: every thread adds up many products, then the lanes, then the warps, then the blocks ----------

namespace {

constexpr std::size_t least_per_thread = 8; // elements; with fewer, more blocks gain nothing
constexpr std::size_t most_blocks = 1024;   // with 8 of them on a multiprocessor they fill an H200

// Blocks for n elements: enough to keep a GPU busy, and never more than it can hold at once.
unsigned blocks_for(std::size_t n) {
  constexpr std::size_t least_per_block = least_per_thread * threads_per_block;
  return static_cast<unsigned>(std::clamp<std::size_t>(n / least_per_block, 1, most_blocks));
}

// The sum of this thread's products: elements i, i + all threads of the grid, and so on.
template <typename T>
__device__ T thread_sum(const T* a, const T* b, std::size_t n) {
  T sum = 0;
  // TODO(2): start at this thread's number in the grid, and go on by as many elements as the grid has threads
  // Add a[i] * b[i] to `sum` for this thread's elements: the first is this thread's number in the whole grid,
  // the next lies as many elements further as the grid has threads. n can need more than 32 bits: so can i.
  // END TODO(2)
  return sum;
}

// The sum of the values of a warp's 32 lanes. Lane 0 returns it; the others return something else.
template <typename T>
__device__ T warp_sum(T value) {
  // TODO(3): add what the lane `distance` further on has, for distances of half a warp, a quarter, down to 1
  // __shfl_down_sync(all_lanes, value, distance) is the `value` of the lane `distance` further on. After a step
  // with distance 16, the first 16 lanes have sums of two; after one with 8, the first 8 have sums of four. All 32
  // lanes make the call in every step.
  // END TODO(3)
  return value;
}

// The sum of the values of a block's threads. Thread 0 returns it; the others return something else. All
// threads must make the call, and a barrier must lie between two calls.
template <typename T>
__device__ T block_sum(T value) {
  constexpr unsigned warps = threads_per_block / warp_size;
  __shared__ T cache[warps];
  const unsigned lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
  const T sum = warp_sum(value);
  if (lane == 0) cache[warp] = sum;
  __syncthreads();
  if (warp != 0) return 0;
  return warp_sum(lane < warps ? cache[lane] : 0);
}

// TODO(4): one addition to *result for each block, and something to add to
template <typename T>
__global__ void dot_kernel(T* result, const T* a, const T* b, std::size_t n) {
  const T sum = block_sum(thread_sum(a, b, n));
  // Blocks end in any order, so they add with atomicAdd(address, value). Which threads of the block add?
}

template <typename T>
void dot(T* result, const T* a, const T* b, std::size_t n) {
  // Before the first addition *result must be 0: cudaMemsetAsync(address, byte, number of bytes) does that.
  // The number of bytes is that of what `result` points to, not of the pointer.
  dot_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
// END TODO(4)

} // namespace

void dot_f32(float* result, const float* a, const float* b, std::size_t n) { dot(result, a, b, n); }

void dot_f64(double* result, const double* a, const double* b, std::size_t n) { dot(result, a, b, n); }

// ---- dot_deterministic: the last block adds up the sums of all blocks ----------------------------------

namespace {

__device__ float partials[most_blocks]; // each block's sum
__device__ unsigned blocks_done;        // 0 whenever no kernel is running

__global__ void dot_deterministic_kernel(float* result, const float* a, const float* b, std::size_t n) {
  const float sum = block_sum(thread_sum(a, b, n));
  __shared__ bool is_last;
  // TODO(5): write the block's sum to partials, count the block; the last one adds up all partials
  // Thread 0: write `sum` to this block's place in partials; a fence, so that a block that sees the count sees the
  // partial sum too; then count the block in blocks_done with atomicAdd, which returns the number before. Is this
  // the last block? All threads of the block must know (is_last). The last block adds up the partials, always in
  // the same order (there can be more of them than the block has threads), and writes *result. If it uses
  // block_sum: a barrier must lie between two calls. What must blocks_done be when the next call begins?
  // END TODO(5)
}

} // namespace

void dot_deterministic_f32(float* result, const float* a, const float* b, std::size_t n) {
  dot_deterministic_kernel<<<blocks_for(n), threads_per_block>>>(result, a, b, n);
}
