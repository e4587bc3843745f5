// Peer: the host launches the two kernels of step 2 of reduce_nested_by_level, one after the other.
//
// The fair comparison for that step: the same cut-off, the same results side by side and the same loads of 16
// bytes, and no launch by device code.

#include <cuda_runtime.h>

namespace {

constexpr unsigned all_lanes = 0xffffffff;
constexpr unsigned threads_per_block = 256;
constexpr unsigned quarter = part_size / 4;      // results of the first level per part
constexpr unsigned lanes_per_part = quarter / 4; // of the second level: each loads four results, 16 bytes
constexpr unsigned loads = 4;                    // of each of its threads, each for another part
constexpr unsigned parts_apart = threads_per_block / lanes_per_part;
constexpr unsigned parts_per_block = parts_apart * loads;

std::size_t blocks_for(std::size_t count, unsigned per_block) { return (count + per_block - 1) / per_block; }

__device__ int element(const int* from, std::size_t n, std::size_t i) { return i < n ? from[i] : 0; }

__device__ int added(int4 v) { return v.x + v.y + (v.z + v.w); }

// Half a warp for a part, and four parts per thread: all four loads are under way before the first is needed.
__global__ void last_kernel(int* sums, const int* work, std::size_t parts) {
  const unsigned lane = threadIdx.x % lanes_per_part;
  const std::size_t first = std::size_t{blockIdx.x} * parts_per_block + threadIdx.x / lanes_per_part;
  const int4* results = reinterpret_cast<const int4*>(work);
  int4 loaded[loads];
  for (unsigned j = 0; j < loads; ++j) {
    const std::size_t k = first + j * parts_apart;
    loaded[j] = k < parts ? results[k * lanes_per_part + lane] : int4{0, 0, 0, 0};
  }
  for (unsigned j = 0; j < loads; ++j) {
    const std::size_t k = first + j * parts_apart;
    int value = added(loaded[j]);
    for (unsigned distance = lanes_per_part / 2; distance > 0; distance /= 2) // by all lanes of the warp
      value += __shfl_down_sync(all_lanes, value, distance, lanes_per_part);
    if (k < parts && lane == 0) sums[k] = value;
  }
}

// One thread adds up four elements that lie a quarter of the part apart.
__global__ void quarters_kernel(int* work, const int* in, std::size_t n, std::size_t parts) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= parts * quarter) return;
  const std::size_t first = i / quarter * part_size + i % quarter;
  int value = 0;
  for (unsigned q = 0; q < 4; ++q) value += element(in, n, first + q * quarter);
  work[i] = value;
}

} // namespace

void reduce_nested_by_level(int* sums, int* work, const int* in, std::size_t n) {
  if (n == 0) return;
  const std::size_t parts = (n + part_size - 1) / part_size;
  quarters_kernel<<<blocks_for(parts * quarter, threads_per_block), threads_per_block>>>(work, in, n, parts);
  last_kernel<<<blocks_for(parts, parts_per_block), threads_per_block>>>(sums, work, parts);
}
