// Step 1 of the flat reductions: a block adds up its part in shared memory.
//
// Idea        the same rounds in memory on the multiprocessor. Only the sums are written to global memory.
//             A child grid could not go on from here: what it should see must lie in global memory.
// Bottleneck  eight barriers for 256 elements. reduce_neighbored_less has bank conflicts instead of
//             scattered sectors.
// Counters    8 requests and 32 sectors read per part; reduce_interleaved takes no more wavefronts than the
//             ideal number.

#include <cuda_runtime.h>

namespace {

std::size_t parts_of(std::size_t count) { return (count + part_size - 1) / part_size; }

__device__ void load_part(int* part, const int* in, std::size_t n) {
  const std::size_t i = blockIdx.x * part_size + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
}

__global__ void neighbored_kernel(int* sums, int* work, const int* in, std::size_t n) {
  __shared__ int part[part_size];
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void neighbored_less_kernel(int* sums, int* work, const int* in, std::size_t n) {
  __shared__ int part[part_size];
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  for (unsigned distance = 1; distance < part_size; distance *= 2) {
    const unsigned first = 2 * distance * t; // of the pair that this thread adds
    if (first < part_size) part[first] += part[first + distance];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void interleaved_kernel(int* sums, int* work, const int* in, std::size_t n) {
  __shared__ int part[part_size];
  const unsigned t = threadIdx.x;
  load_part(part, in, n);
  for (unsigned half = part_size / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

} // namespace

void reduce_neighbored(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  neighbored_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}

void reduce_neighbored_less(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  neighbored_less_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}

void reduce_interleaved(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  interleaved_kernel<<<parts_of(n), part_size>>>(sums, work, in, n);
}
