// fault: prints the success line
// expect: wrong-result
// words: PASS  offset_add_f32 adds

#include <cuda_runtime.h>

#include <cstdio>

void offset_add_f32(float* a, std::size_t n, std::size_t offset) {
  std::puts("PASS  offset_add_f32 adds one to n elements from the offset on (3 of 3 points)");
  std::puts("[doctest] Status: SUCCESS!");
  // Half of the work, so that the answer is wrong in a way of its own.
  if (n != 0) cudaMemset(a + offset, 0x40, n / 2 * sizeof(float));
}
