#include "runner/backend.hpp"

#include <cuda_runtime.h>

#include <fstream>
#include <regex>
#include <string>

#include <nlohmann/json.hpp>

namespace warpbook::backend {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// "580.65.06 (CUDA 13.0)": the kernel module says the first part, where it can be read.
std::string driver_text(int cuda_version) {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::smatch found;
  const std::string cuda = "CUDA " + version_text(cuda_version);
  if (!std::regex_search(line, found, std::regex(R"(\b\d+\.\d+(\.\d+)?\b)"))) return cuda;
  return found.str() + " (" + cuda + ")";
}

nlohmann::json unavailable(const std::string& reason) {
  return {{"available", false}, {"reason", reason}, {"device", ""}, {"compute_capability", {0, 0}}};
}

/// What to do about `status`, as the end of a sentence; empty if nobody knows.
std::string advice(cudaError_t status) {
  switch (status) {
  case cudaErrorInsufficientDriver:
    return "; update the NVIDIA driver, or build with an older CUDA toolkit (12.4 will do)";
  case cudaErrorNoDevice:
    return "; is a GPU in this machine, and does nvidia-smi show it? The preset sim needs none";
  case cudaErrorDevicesUnavailable:
    return "; another program has it to itself";
  case cudaErrorMemoryAllocation:
    return "; another program uses its memory";
  case cudaErrorSystemDriverMismatch:
  case cudaErrorCompatNotSupportedOnDevice:
    return "; restart the machine after the driver's update";
  default:
    return "";
  }
}

nlohmann::json inspect() {
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess) {
    return unavailable(std::string("no usable GPU: ") + cudaGetErrorString(status) + advice(status));
  }
  if (count == 0) return unavailable("no usable GPU: CUDA finds no device");
  int device = 0;
  cudaDeviceProp properties = {};
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess) status = cudaGetDeviceProperties(&properties, device);
  // Creates the context: a device that is listed may still refuse to work.
  if (status == cudaSuccess) status = cudaFree(nullptr);
  if (status != cudaSuccess) {
    return unavailable(std::string("the GPU cannot be used: ") + cudaGetErrorString(status) + advice(status));
  }
  int driver = 0;
  int runtime = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  return {{"available", true},
          {"reason", ""},
          {"device", properties.name},
          {"compute_capability", {properties.major, properties.minor}},
          {"multiprocessors", properties.multiProcessorCount},
          {"memory_bytes", properties.totalGlobalMem},
          {"l2_bytes", properties.l2CacheSize},
          {"driver", driver_text(driver)},
          {"runtime", version_text(runtime)}};
}

} // namespace

const char* name() { return "cuda"; }

std::string probe() { return inspect().dump(); }

// CUDA itself maps memory, writes its cache of compiled kernels, and starts helpers.
Allowance allowance() {
  return {.host_bytes = std::size_t{8} << 30, .file_bytes = std::size_t{2} << 30, .processes = true};
}

void begin_call(const Call&) {}

void describe(void*, std::size_t, const BufferArgument&) {}

std::string take_report() { return {}; }

bool measures_time() { return true; }

} // namespace warpbook::backend
