#include "runner/backend.hpp"

#include <cuda_runtime.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runner/device_work.hpp"

namespace warpbook::backend {
namespace {

nlohmann::json unavailable(const std::string& reason) {
  return {{"available", false}, {"reason", reason}, {"device", ""}, {"compute_capability", {0, 0}}};
}

/// What to do about `status`, as the end of a sentence; empty if that is unknown.
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
  char address[32] = "";
  if (cudaDeviceGetPCIBusId(address, sizeof address, device) != cudaSuccess) address[0] = '\0';
  nlohmann::json devices = nlohmann::json::array();
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp other = {};
    devices.push_back(cudaGetDeviceProperties(&other, i) == cudaSuccess ? other.name : "?");
  }
  return {{"available", true},
          {"reason", ""},
          {"device", properties.name},
          {"compute_capability", {properties.major, properties.minor}},
          {"multiprocessors", properties.multiProcessorCount},
          {"memory_bytes", properties.totalGlobalMem},
          {"l2_bytes", properties.l2CacheSize},
          {"pci_address", address},
          {"devices", devices}};
}

} // namespace

const char* name() { return "cuda"; }

std::string probe() { return inspect().dump(); }

// CUDA itself maps memory, talks to devices, writes its cache of compiled kernels, and starts helpers. Its threads run
// already, and Landlock leaves them as they are.
Confinement confinement(const std::string& module, bool behind_a_tool) {
  const auto or_default = [](const char* variable, const std::string& otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value == '/' ? std::string(value) : otherwise;
  };
  Confinement confinement;
  confinement.processes = true;
  confinement.local_sockets = true;
  confinement.network = confinement.reads_anywhere = confinement.writes_anywhere = behind_a_tool;
  confinement.traceable = behind_a_tool;
  confinement.runnable = system_folders();
  confinement.readable = {"/etc", "/opt", "/proc", "/run", "/sys", "/var/run", module};
  confinement.writable = {"/dev", or_default("CUDA_CACHE_PATH", or_default("HOME", "/root") + "/.nv"),
                          or_default("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps")};
  confinement.data_bytes = std::size_t{8} << 30;
  confinement.file_bytes = std::size_t{2} << 30;
  return confinement;
}

void prepare() {}

void show_progress(SharedMemory) {} // the driver tells nothing of how far a kernel has come

std::string provenance() { return nlohmann::json(device_work::provenance()).dump(); }

void generate(const Generator& generator, void* device, std::size_t count) {
  device_work::generate(generator, device, count);
}

void gather(const void* device, std::size_t element_size, const std::vector<std::size_t>& indices,
            std::byte* target) {
  device_work::gather(device, element_size, indices, target);
}

std::byte* allocate_sparse(std::size_t) { return nullptr; }

std::vector<std::size_t> strays(const BufferArgument&, const std::byte*) { return {}; }

void begin_call(const Call&) {}

void describe(void*, std::size_t, const BufferArgument&) {}

std::string take_trace() { return {}; }

std::string take_diaries() { return {}; }

bool measures_time() { return true; }

} // namespace warpbook::backend
