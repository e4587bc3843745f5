// Peer: CUB, DeviceReduce::Sum, which makes one sum of all elements and not one of each part.
//
// fails: reduce_interleaved adds up every part: sums-missing
//
// The temporary storage is allocated in the first call, and again where more is needed.

#include <cub/device/device_reduce.cuh>

#include <cstdint>

void reduce_interleaved(int* sums, int*, const int* in, std::size_t n) {
  if (n == 0) return;
  static void* storage = nullptr;
  static std::size_t capacity = 0;
  const auto elements = static_cast<std::int64_t>(n);
  std::size_t needed = 0;
  cub::DeviceReduce::Sum(nullptr, needed, in, sums, elements);
  if (needed > capacity) {
    cudaFree(storage);
    cudaMalloc(&storage, needed);
    capacity = needed;
  }
  cub::DeviceReduce::Sum(storage, needed, in, sums, elements);
}
