// fault: the } of a branch is missing
// expect: compile-error
// words: brace_missing.cu:22:16: error: TODO(1) opens a { that nothing in it closes
// backends: sim

#include <cuda_runtime.h>

namespace {

template <typename T>
__global__ void count_kernel(T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}

template <typename T>
__global__ void offset_add_kernel(T* a, std::size_t n, std::size_t offset) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // TODO(1): add one to this thread's element
  for (int turn = 0; turn < 1; ++turn) {
    // the bound
    if (i < n) {
      a[offset + i] += T{1};
  }
  // END TODO(1)
}

template <typename T>
void offset_add(T* a, std::size_t n, std::size_t offset) {
  if (n > 0) offset_add_kernel<<<(n + 255) / 256, 256>>>(a, n, offset);
}

} // namespace

void offset_add_f32(float* a, std::size_t n, std::size_t offset) { offset_add(a, n, offset); }
