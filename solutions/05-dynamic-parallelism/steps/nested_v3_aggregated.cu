// Step 3 of reduce_nested: one launch for 32 parts.
//
// Idea        a launch costs the same whether it starts one thread or a thousand. So a block has 32 parts
//             instead of one, and its child the same 32: with the cut-off, two launches for 8,192 elements.
// Bottleneck  launches: 2^24 elements take 2,048 blocks of this kind, when the flat kernel has long finished.
// Counters    2 child grids per 32 parts, depth 2.
// fails: reduce_nested launches the next half from every block: too-few-child-grids

#include <cuda_runtime.h>

namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned threads_per_block = 1024;
constexpr std::size_t group = 32; // parts

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

// The last halving of a group by one block: a warp adds up the first 32 of a part's elements.
__device__ void finish_group(int* sums, const int* work, std::size_t parts, unsigned count) {
  const unsigned lane = threadIdx.x % warp_size;
  for (std::size_t k = threadIdx.x / warp_size; k < parts; k += threads_per_block / warp_size) {
    int value = 0;
    for (unsigned i = lane; i < count; i += warp_size) value += work[k * part_size + i];
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
      value += __shfl_down_sync(all_lanes, value, distance);
    if (lane == 0) sums[k] = value;
  }
}

// One block for a group of up to 32 parts, of which `from` has n elements.
__global__ void group_kernel(int* sums, int* work, const int* from, std::size_t n, unsigned half) {
  const std::size_t begin = blockIdx.x * group * part_size;
  const std::size_t left = n - begin, whole = group * part_size;
  const std::size_t parts = left < whole ? (left + part_size - 1) / part_size : group;
  sums += blockIdx.x * group;
  work += begin;
  for (std::size_t i = threadIdx.x; i < parts * half; i += threads_per_block) {
    const std::size_t first = i / half * part_size + i % half;
    work[first] = element(from, n, begin + first) + element(from, n, begin + first + half);
  }
  __syncthreads();
  __shared__ bool launched;
  if (threadIdx.x == 0) {
    launched = false;
    if (half > warp_size) {
      group_kernel<<<1, threads_per_block, 0, cudaStreamFireAndForget>>>(sums, work, work, parts * part_size,
                                                                         half / 2);
      launched = cudaGetLastError() == cudaSuccess;
    }
  }
  __syncthreads();
  if (!launched) finish_group(sums, work, parts, half);
}

} // namespace

void reduce_nested(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  constexpr std::size_t elements = group * part_size;
  group_kernel<<<(n + elements - 1) / elements, threads_per_block>>>(sums, work, in, n, part_size / 2);
}
