// A program's own header whose name begins like those of the toolkit.
#pragma once

#include <cstdlib>
#include <string>

/// Objects that kernels and the host share, as books teach it: new takes managed memory.
class Managed {
public:
  static void* operator new(std::size_t bytes) {
    void* memory;
    if (cudaMallocManaged(&memory, bytes) != cudaSuccess) std::abort();
    cudaDeviceSynchronize();
    return memory;
  }
  static void operator delete(void* memory) {
    cudaDeviceSynchronize();
    cudaFree(memory);
  }
};
