// Peer: CUB, DeviceSegmentedReduce::Sum with a segment per part.
//
// The ends of the segments are computed when they are read. The temporary storage is allocated in the first
// call, and again where more is needed.

#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace {

// Where part k begins, or ends if k is one more: not behind the end of the array.
struct PartBegin {
  std::int64_t n;
  __host__ __device__ std::int64_t operator()(std::int64_t k) const {
    const std::int64_t begin = k * static_cast<std::int64_t>(part_size);
    return begin < n ? begin : n;
  }
};

} // namespace

void reduce_interleaved(int* sums, int*, const int* in, std::size_t n) {
  if (n == 0) return;
  static void* storage = nullptr;
  static std::size_t capacity = 0;
  const auto parts = static_cast<std::int64_t>((n + part_size - 1) / part_size);
  const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}),
                                                      PartBegin{static_cast<std::int64_t>(n)});
  std::size_t needed = 0;
  cub::DeviceSegmentedReduce::Sum(nullptr, needed, in, sums, parts, begins, begins + 1);
  if (needed > capacity) {
    cudaFree(storage);
    cudaMalloc(&storage, needed);
    capacity = needed;
  }
  cub::DeviceSegmentedReduce::Sum(storage, needed, in, sums, parts, begins, begins + 1);
}
