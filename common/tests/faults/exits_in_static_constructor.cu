// fault: exits in static constructor
// expect: early-exit
// words: ended the whole program

#include <cuda_runtime.h>

#include <unistd.h>

namespace {
struct Exit {
  Exit() { _exit(0); }
} exit_at_once;
} // namespace

namespace {

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[offset + i] += T{1};
}

template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  if (n != 0) offset_add_kernel<<<(n + 255) / 256, 256>>>(a, n, offset);
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }
