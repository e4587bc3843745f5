// What NVIDIA's samples find in helper_cuda.h, written for the simulator. A copy of the real header beside the
// program, or on its -I path, comes before this one.
#ifndef SIMT_INCLUDE_SAMPLES_HELPER_CUDA_H
#define SIMT_INCLUDE_SAMPLES_HELPER_CUDA_H

#include "cuda_runtime.h"
#include "helper_string.h"

#include <cstdio>
#include <cstdlib>

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

template <class Status>
void check(Status result, const char* function, const char* file, int line) {
  if (!result) return;
  std::fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<int>(result),
               _cudaGetErrorEnum(result), function);
  std::exit(EXIT_FAILURE);
}
#define checkCudaErrors(expression) check((expression), #expression, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s(%d): getLastCudaError() CUDA error: %s: (%d) %s.\n", file, line, message,
               static_cast<int>(error), cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
inline void __printLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    std::fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s.\n", file, line, message, static_cast<int>(error),
                 cudaGetErrorString(error));
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

/// Lanes of one multiprocessor; 128 on the devices of the simulated one's generation.
inline int _ConvertSMVer2Cores(int major, int minor) {
  if (major == 9) return 128;
  return major == 7 || (major == 8 && minor == 0) ? 64 : 128;
}
inline const char* _ConvertSMVer2ArchName(int major, int) {
  return major == 9 ? "Hopper" : major == 8 ? "Ampere" : "other";
}
inline int gpuDeviceInit(int device) {
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int count, const char** values) {
  const int device = getCmdLineArgumentInt(count, values, "device");
  checkCudaErrors(cudaSetDevice(device));
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  std::printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name, properties.major,
              properties.minor);
  return device;
}
inline bool checkCudaCapabilities(int major, int minor) {
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}

#endif
