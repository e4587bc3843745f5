// Peer: CUB, behind an iterator that clamps.
//
// DeviceHistogram::HistogramEven leaves out values that are in no bin, so the iterator clamps them. The
// temporary storage is allocated in the first call, and again where more is needed. CUB does not say which
// memory it took.
//
// fails: histogram takes the nearest memory that holds the counters and says which: farther-than-needed

#include <cub/device/device_histogram.cuh>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace {

struct Clamp {
  int last;
  __host__ __device__ int operator()(int value) const { return value < 0 ? 0 : value > last ? last : value; }
};

} // namespace

Regime histogram(const int* in, std::size_t n, unsigned* bins, unsigned nbins) {
  static void* storage = nullptr;
  static std::size_t capacity = 0;
  if (n == 0) {
    cudaMemsetAsync(bins, 0, nbins * sizeof(unsigned));
    return Regime::global;
  }
  const int last = static_cast<int>(nbins) - 1;
  const auto values = thrust::make_transform_iterator(in, Clamp{last});
  const auto count = static_cast<std::int64_t>(n);
  std::size_t needed = 0;
  cub::DeviceHistogram::HistogramEven(nullptr, needed, values, bins, last + 2, 0, last + 1, count);
  if (needed > capacity) {
    cudaFree(storage);
    cudaMalloc(&storage, needed);
    capacity = needed;
  }
  cub::DeviceHistogram::HistogramEven(storage, needed, values, bins, last + 2, 0, last + 1, count);
  return Regime::global;
}
