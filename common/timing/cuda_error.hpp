#pragma once
/// One macro around every CUDA call: it throws if the call failed, and says which and where.
///
///   WARPBOOK_CUDA(cudaMalloc(&data, bytes));
///   kernel<<<blocks, threads>>>(data);
///   WARPBOOK_CUDA(cudaGetLastError()); // a launch returns nothing, so its error is fetched

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace warpbook {

/// A CUDA call that failed. what() is "cudaMalloc(&data, bytes) at file.cu:12: out of memory".
struct CudaError : std::runtime_error {
  CudaError(cudaError_t code, const char* expression, const char* file, int line)
      : std::runtime_error(std::string(expression) + " at " + file + ":" + std::to_string(line) + ": " +
                           cudaGetErrorString(code)),
        code(code), origin(std::string(expression).substr(0, std::string(expression).find('('))) {}
  cudaError_t code;
  std::string origin; ///< the API function
};

} // namespace warpbook

#define WARPBOOK_CUDA(expression)                                                                            \
  do {                                                                                                       \
    const cudaError_t code_of_call = (expression);                                                           \
    if (code_of_call != cudaSuccess)                                                                         \
      throw ::warpbook::CudaError(code_of_call, #expression, __FILE__, __LINE__);                            \
  } while (false)
