// Put in front of CUDA's runtime with LD_PRELOAD: a machine whose driver or GPU says no. STUB_CUDA_ERROR is
// the cudaError_t that counting the devices ends with; STUB_CUDA_FREE_ERROR lets one old GPU be counted,
// which then refuses to work with that error, or works if it is 0.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

namespace {
cudaError_t from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? static_cast<cudaError_t>(std::atoi(value)) : cudaSuccess;
}
} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return from_environment("STUB_CUDA_ERROR");
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "An old GPU");
  properties->major = 6;
  return cudaSuccess;
}

cudaError_t cudaFree(void*) { return from_environment("STUB_CUDA_FREE_ERROR"); }
}
