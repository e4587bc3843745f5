// fault: exits with success
// expect: early-exit
// words: offset_add_f32 ended the whole program

#include <cuda_runtime.h>

#include <cstdlib>

void offset_add_f32(float*, std::size_t, std::size_t) { std::exit(0); }
