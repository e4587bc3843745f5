// fault: host never ends
// expect: hang
// words: offset_add_f32 did not return:
// words[sim]: offset_add_f32 did not return: its host code has used 3 s of processor time

#include <cuda_runtime.h>

namespace {
volatile bool done = false;
}

void offset_add_f32(float*, std::size_t, std::size_t) {
  while (!done) {
  }
}
