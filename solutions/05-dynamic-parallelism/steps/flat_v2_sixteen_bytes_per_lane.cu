// Step 2 of the flat reductions: a warp per part, sixteen bytes per lane, and no barrier.
//
// Idea        256 ints are 32 lanes with two int4 each. A lane adds up its eight ints in registers, five
//             shuffles add up the lanes, and no other warp takes part. A warp goes on to parts further on,
//             and reads ahead.
// Bottleneck  the bandwidth of reading memory: no kernel can be faster than one that only reads.
// Counters    2 requests, 32 sectors and 5 shuffles per part; no barrier.

#include <cuda_runtime.h>

namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned threads_per_block = 256;
constexpr unsigned warps_per_block = threads_per_block / warp_size;
constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned vectors = part_size / 4; // in a part

__device__ int added(int4 v) { return v.x + v.y + v.z + v.w; }

// What this lane has of a whole part: vector `lane` and the one 32 further on.
__device__ int lane_sum(const int4* part, unsigned lane) {
  const int4 first = part[lane], second = part[lane + warp_size];
  return added(first) + added(second);
}

// The sum of a value of each lane; lane 0 returns it.
__device__ int warp_sum(int value) {
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(all_lanes, value, distance);
  return value;
}

// One warp for two neighbouring parts: four reads are under way before the first is needed.
__global__ void warps_kernel(int* sums, const int* in, std::size_t n) {
  const unsigned lane = threadIdx.x % warp_size;
  const std::size_t k = 2 * (std::size_t{blockIdx.x} * warps_per_block + threadIdx.x / warp_size);
  const int4* part = reinterpret_cast<const int4*>(in) + k * vectors;
  if ((k + 2) * part_size <= n) {
    const int first = lane_sum(part, lane), second = lane_sum(part + vectors, lane);
    const int first_sum = warp_sum(first), second_sum = warp_sum(second);
    if (lane == 0) {
      sums[k] = first_sum;
      sums[k + 1] = second_sum;
    }
    return;
  }
  for (std::size_t j = k; j < k + 2 && j * part_size < n; ++j) { // the end of the array
    int sum = 0;
    for (std::size_t i = j * part_size + lane; i < n && i < (j + 1) * part_size; i += warp_size) sum += in[i];
    sum = warp_sum(sum);
    if (lane == 0) sums[j] = sum;
  }
}

} // namespace

void reduce_interleaved(int* sums, int*, const int* in, std::size_t n) {
  if (n == 0) return;
  constexpr std::size_t elements_per_block = 2 * warps_per_block * part_size;
  warps_kernel<<<(n + elements_per_block - 1) / elements_per_block, threads_per_block>>>(sums, in, n);
}
