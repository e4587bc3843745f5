// fault: kernel never ends
// expect: hang
// words: offset_add_f32 did not return: it has been at work for 3 s
// expect[sim]: step-budget
// words[sim]: kernel_never_ends.cu:12

#include <cuda_runtime.h>

namespace {

__global__ void wait_forever(volatile float* a) {
  while (a[0] == a[0] || true) {
  }
}

} // namespace

void offset_add_f32(float* a, std::size_t, std::size_t) { wait_forever<<<1, 1>>>(a); }
